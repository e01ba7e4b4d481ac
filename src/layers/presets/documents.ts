import type { DocumentSpec } from '../../ports/document.js'

type Change = (defaults: readonly DocumentSpec[]) => readonly DocumentSpec[]

/** The files named and no others. */
export function only(...paths: readonly string[]): Change {
  return (defaults) => defaults.filter((spec) => paths.includes(spec.path))
}

/** The files named, moved to one layer in the order named. */
export function inLayer(layer: string, paths: readonly string[]): Change {
  return (defaults) =>
    defaults.map((spec) => {
      const order = paths.indexOf(spec.path)
      return order === -1 ? spec : { ...spec, layer, order }
    })
}
