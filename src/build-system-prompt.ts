import { fit } from './budget/fit.js'
import { withContext } from './context/visible.js'
import { compose } from './layers/compose.js'
import { load } from './load.js'
import { resolveTurn } from './options/turn.js'
import type { Agent } from './ports/agent.js'
import type { SystemPrompt, WorkspaceSnapshot } from './ports/prompt.js'
import type { Turn } from './ports/turn.js'
import { rememberPrompt } from './remember.js'
import { render } from './render/render.js'
import { writeSections } from './render/write-sections.js'
import { tell } from './workspace/logging.js'
import type { Run } from './workspace/run.js'
import { soundSnapshot } from './workspace/snapshot-of.js'

/**
 * Reads the workspace anew and builds the system prompt of one turn. Writes nothing.
 *
 * Throws `PromptError` `invalid-options` for a turn it cannot take, `budget-too-small` for a base file over its cap or
 * a total that has no room for what never yields (hints count among that), `layer-failed` for a missing base file or,
 * with `onLayerError: 'throw'`, a layer that threw. Rejects with the signal's reason when the turn is aborted.
 * Everything else that goes wrong is a diagnostic on the result.
 *
 * @example
 * const prompt = await buildSystemPrompt(agent, { session: { id: 'c1', kind: 'main', memory: true }, input })
 * prompt.text
 */
export async function buildSystemPrompt(agent: Agent, turn: Turn = {}): Promise<SystemPrompt> {
  const run = resolveTurn(agent, turn, () => new Date())
  const snapshot = await load(run)
  const prompt = assemble(snapshot, run)
  tell(agent.logger, prompt.diagnostics)
  return prompt
}

/**
 * The first half of a build: the files of a turn, the layers' own data and the context, as plain data. Without
 * `turn.now` no daily notes are looked for.
 */
export async function loadWorkspace(agent: Agent, turn: Turn = {}): Promise<WorkspaceSnapshot> {
  return load(resolveTurn(agent, turn))
}

/**
 * The second half of a build, synchronous and pure: the same snapshot, agent and turn give the same bytes. What the
 * turn may not show is left out whatever the snapshot holds. Without `turn.now` there is no date and there are no
 * daily notes. Throws as {@link buildSystemPrompt} does.
 */
export function composeSystemPrompt(snapshot: WorkspaceSnapshot, agent: Agent, turn: Turn = {}): SystemPrompt {
  return assemble(soundSnapshot(snapshot), resolveTurn(agent, turn))
}

function assemble(snapshot: WorkspaceSnapshot, asked: Run): SystemPrompt {
  const prompt = rememberPrompt(snapshot, asked, (run) => {
    const composed = compose(snapshot, run)
    const fitted = fit(composed, run, (sections) => writeSections(sections, run.agent))
    return render(fitted, composed, run)
  })
  return withContext(prompt, snapshot.context, asked)
}
