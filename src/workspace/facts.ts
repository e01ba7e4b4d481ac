import { once } from '../plain-data.js'
import type { Agent } from '../ports/agent.js'
import type { IdentityFields } from '../ports/identity.js'
import type { LayerDocument } from '../ports/layer.js'
import { parseIdentity } from './identity.js'
import { isNearlyEmpty } from './significance.js'

/** UTF-16 units. What a person fills in stands at the beginning, and of a file over 1 Mi units only that is looked at. */
const OPENING_UNITS = 2 ** 16

// Both read the whole text, so each is asked once per change of a file.
const nearlyEmpty = new WeakMap<LayerDocument, boolean>()
const identities = new WeakMap<LayerDocument, IdentityFields>()

/** Whether a person has filled in next to nothing: missing, empty or an untouched template. */
export function isUnfilled(view: LayerDocument | undefined, { thresholds }: Agent): boolean {
  if (view === undefined || view.state === 'missing' || view.state === 'empty') return true
  if (view.state !== 'present') return false
  return once(nearlyEmpty, view, () => isNearlyEmpty(openingOf(view, view.content), thresholds.nearlyEmpty))
}

/** What IDENTITY.md says; nothing where it is not to be had. */
export function identityFrom(view: LayerDocument | undefined): IdentityFields {
  if (view === undefined || view.state !== 'present') return {}
  const { text, body, metadata } = view.document
  return once(identities, view, () => parseIdentity(openingOf(view, text.slice(body)), metadata))
}

function openingOf({ document }: LayerDocument, text: string): string {
  return document.gap === undefined ? text : text.slice(0, OPENING_UNITS)
}
