import { PromptError } from '../errors.js'
import type { Layer } from '../ports/layer.js'
import { describe } from '../validation.js'

type Layers = readonly Layer<unknown>[]

/**
 * A new list with layers before the one named. Throws `invalid-options` where there is no such layer.
 *
 * @example insertBefore(presets.default.layers, 'hints', mood)
 */
export function insertBefore(layers: Layers, id: string, ...added: Layers): Layers {
  const index = indexOf(layers, id)
  return [...layers.slice(0, index), ...added, ...layers.slice(index)]
}

/** A new list with layers after the one named. Throws `invalid-options` where there is no such layer. */
export function insertAfter(layers: Layers, id: string, ...added: Layers): Layers {
  const index = indexOf(layers, id) + 1
  return [...layers.slice(0, index), ...added, ...layers.slice(index)]
}

/** A new list with one layer, or several, in place of the one named. Throws `invalid-options` where there is no such layer. */
export function replaceLayer(layers: Layers, id: string, ...replacement: Layers): Layers {
  const index = indexOf(layers, id)
  return [...layers.slice(0, index), ...replacement, ...layers.slice(index + 1)]
}

/** A new list without the layer named. Throws `invalid-options` where there is no such layer. */
export function withoutLayer(layers: Layers, id: string): Layers {
  return replaceLayer(layers, id)
}

/**
 * The layers named, in the order named: for a layout of one's own. Throws `invalid-options` where there is no such layer.
 *
 * @example pickLayers(presets.default.layers, 'base', 'persona', 'memory', 'hints')
 */
export function pickLayers(layers: Layers, ...ids: readonly string[]): Layers {
  return ids.map((id) => layers[indexOf(layers, id)] as Layer<unknown>)
}

function indexOf(layers: Layers, id: string): number {
  if (!Array.isArray(layers)) {
    const message = `layers: expected a list of layers, such as presets.default.layers, got ${describe(layers)}.`
    throw new PromptError('invalid-options', message)
  }
  const index = layers.findIndex((layer) => layer.id === id)
  if (index !== -1) return index
  const known = layers.map((layer) => layer.id).join(', ')
  throw new PromptError('invalid-options', `layers: expected one of ${known}, got ${JSON.stringify(id)}.`, {
    data: { id },
  })
}
