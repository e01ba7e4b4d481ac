import { once } from '../plain-data.js'
import type { Agent } from '../ports/agent.js'
import type { IdentityFields } from '../ports/identity.js'
import type { LayerDocument } from '../ports/layer.js'
import { parseIdentity } from './identity.js'
import { isNearlyEmpty } from './significance.js'

// Both read the whole text, so each is asked once per change of a file.
const nearlyEmpty = new WeakMap<LayerDocument, boolean>()
const identities = new WeakMap<LayerDocument, IdentityFields>()

/** Whether a person has filled in next to nothing: missing, empty or an untouched template. */
export function isUnfilled(view: LayerDocument | undefined, { thresholds }: Agent): boolean {
  if (view === undefined || view.state === 'missing' || view.state === 'empty') return true
  return view.state === 'present' && once(nearlyEmpty, view, () => isNearlyEmpty(view.content, thresholds.nearlyEmpty))
}

/** What IDENTITY.md says; nothing where it is not to be had. */
export function identityFrom(view: LayerDocument | undefined): IdentityFields {
  if (view === undefined || view.state !== 'present') return {}
  return once(identities, view, () =>
    parseIdentity(view.document.text.slice(view.document.body), view.document.metadata),
  )
}
