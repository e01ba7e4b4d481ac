import { baseLayer } from '../base.js'
import { formatLayer } from '../format.js'
import { identityLayer } from '../identity.js'
import { rulesLayer } from '../rules.js'
import { safetyLayer } from '../safety.js'

/** What the host itself says: how layouts begin that draw nothing else there. */
export const opening = [safetyLayer, baseLayer(), rulesLayer, identityLayer, formatLayer()] as const
