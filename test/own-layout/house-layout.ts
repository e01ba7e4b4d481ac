import { type Layer, type Preset, pickLayers, presets } from 'soulprompt'

/** The rules of a shared house: a file of its own, found by its exact path. */
const rules: Layer = {
  id: 'house-rules',
  stability: 'workspace',
  documents: () => [{ path: 'HOUSE.md', layer: 'house-rules', audience: { private: false } }],
  render: ({ documents }) => documents.map((file) => ({ headings: ['# House rules'], file })),
}

/** Who is at home: data that is loaded for each turn. */
const present: Layer<readonly string[]> = {
  id: 'present',
  stability: 'turn',
  load: async (turn) => (turn.session.kind === 'main' ? ['Ines', 'Bo'] : []),
  render: ({ data = [] }) =>
    data.length === 0
      ? []
      : [{ headings: ['# At home'], text: data.map((name) => `- ${name}`).join('\n'), rule: true }],
}

/** A layout for the assistant of a shared house. */
export const house: Preset = {
  layers: [
    ...pickLayers(presets.default.layers, 'base', 'persona'),
    rules,
    present,
    ...pickLayers(presets.default.layers, 'hints'),
  ],
  documents: (defaults) => defaults.filter(({ path }) => path === 'SOUL.md'),
  delimiter: 'heading',
  budget: { perFile: { 'HOUSE.md': 120 } },
}
