import { freezeDeep } from '../plain-data.js'
import type { DocumentSpec } from '../ports/document.js'
import type { Layer, LayerDocument, LayerInput } from '../ports/layer.js'
import { fill } from '../texts/index.js'
import { bootstrapRecord } from '../workspace/bootstrap-record.js'
import { noteDay } from '../workspace/daily-notes.js'
import { identityFrom, isUnfilled } from '../workspace/facts.js'
import { fileSections } from './file-sections.js'

/** The files of one kind of turn: BOOTSTRAP.md in a new workspace, HEARTBEAT.md, BOOT.md. */
export const taskLayer: Layer = {
  id: 'task',
  stability: 'session',
  documents: ({ session }, { agent }) =>
    session.kind === 'main' && session.memory && agent.documents.some(({ path }) => path === 'BOOTSTRAP.md')
      ? ownFiles
      : [],
  render: (input) => {
    const documents = input.documents.filter((file) => file.spec.path !== 'BOOTSTRAP.md' || isNewWorkspace(input))
    return fileSections({ documents }, [input.texts.headingTask], (file) => ({ guidance: guidanceFor(file, input) }))
  },
}

/** By which it is seen whether anybody has introduced themselves, whether or not the layout shows them. */
const ownFiles = freezeDeep(
  [bootstrapRecord, 'IDENTITY.md', 'USER.md'].map(
    (path): DocumentSpec => ({
      path,
      layer: 'task',
      hidden: true,
      optional: true,
      audience: { kinds: ['main'], private: true },
    }),
  ),
)

function guidanceFor(file: LayerDocument, { texts }: LayerInput): string | undefined {
  if (file.state !== 'present') return undefined
  const guidance = {
    'BOOTSTRAP.md': texts.taskBootstrap,
    'HEARTBEAT.md': texts.taskHeartbeat,
    'BOOT.md': texts.taskBoot,
  }
  const text = Object.hasOwn(guidance, file.spec.path) ? guidance[file.spec.path as keyof typeof guidance] : undefined
  return text === undefined ? undefined : fill(text, { file: file.path })
}

/** Most workspaces keep BOOTSTRAP.md for months after: it counts only while nobody has introduced themselves. */
function isNewWorkspace({ agent, document, notes, allDocuments }: LayerInput): boolean {
  const identity = document('IDENTITY.md')
  const hasNotes =
    (notes ?? []).some((name) => /\.md$/i.test(name)) ||
    allDocuments.some((file) => noteDay(file.path) !== undefined && file.state === 'present')
  // A record that cannot be read is one all the same: nobody is to be met a second time for a fault of the store.
  const wasMet = (document(bootstrapRecord)?.state ?? 'missing') !== 'missing'
  return (
    !wasMet &&
    !hasNotes &&
    identityFrom(identity).name === undefined &&
    isUnfilled(identity, agent) &&
    isUnfilled(document('USER.md'), agent)
  )
}
