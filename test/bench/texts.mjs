// Six workspace files that read like real ones, the same on every machine: 84 KB of headings, lists, tables, fenced code,
// English and some Chinese.

const subjects = [
  'The heron',
  'A reviewer',
  'The night build',
  'Mina',
  'The porch camera',
  'Nobody',
  'The second draft',
]
const verbs = ['waits for', 'keeps', 'asks about', 'writes down', 'no longer needs', 'forgets', 'compares']
const objects = [
  'the tide table',
  'every change of plan',
  'the invoice from 14 March',
  '`config.json`',
  'a short answer',
]
const ends = [
  'until the light is gone',
  'before anyone is awake',
  'in Lisbon',
  'as **agreed**',
  '(see [log](log.md))',
  '',
]
const chinese = [
  '用户喜欢简短的回答',
  '每天早上八点之前不要提醒',
  '重要的决定要写进记忆',
  '她住在里斯本的老城区',
  '遇到错误先看日志',
]
const code = [
  'const open = await door.state()',
  'if (!open) return',
  'npm run build && npm test',
  'git log --oneline -5',
]

/** Numbers from 0 to 1 that look random and are the same each time. */
function numbersFrom(seed) {
  let state = seed
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}

function textOf(title, chars, seed) {
  const next = numbersFrom(seed)
  const pick = (list) => list[Math.floor(next() * list.length)]
  const sentence = () => `${[pick(subjects), pick(verbs), pick(objects), pick(ends)].filter(Boolean).join(' ')}.`
  const times = (least, most, make) => Array.from({ length: least + Math.floor(next() * (most - least)) }, make)
  const blocks = [
    () => times(2, 5, sentence).join(' '),
    () => times(2, 5, sentence).join(' '),
    () => times(3, 7, () => `- ${sentence()}`).join('\n'),
    () =>
      times(3, 7, () => `- **2026-${String(1 + Math.floor(next() * 12)).padStart(2, '0')}-14:** ${sentence()}`).join(
        '\n',
      ),
    () => `${times(1, 3, () => pick(chinese)).join('，')}。`,
    () => `\`\`\`sh\n${times(2, 4, () => pick(code)).join('\n')}\n\`\`\``,
    () =>
      [
        '| what | when |',
        '| --- | --- |',
        ...times(2, 4, () => `| ${pick(objects)} | ${pick(ends) || 'never'} |`),
      ].join('\n'),
  ]
  const parts = [`# ${title}`]
  for (let size = title.length + 4, count = 1; size < chars; count += 1) {
    const part = count % 6 === 0 ? `## ${pick(subjects)} ${pick(verbs)} ${pick(objects)}` : pick(blocks)()
    parts.push(part)
    size += part.length + 2
  }
  const text = parts.join('\n\n').slice(0, chars - 1)
  // A string that was put together is slower to go through than one that was read.
  return Buffer.from(`${text.trimEnd()}\n`).toString()
}

export const texts = {
  'AGENTS.md': textOf('How to work', 12_000, 1),
  'SOUL.md': textOf('Soul', 6_000, 2),
  'USER.md': textOf('Mina', 4_000, 3),
  'IDENTITY.md': textOf('Identity', 2_000, 4),
  'TOOLS.md': textOf('Tools', 6_000, 5),
  'MEMORY.md': textOf('Memory', 54_000, 6),
}

export const tools = Array.from({ length: 30 }, (_, index) => ({
  name: `tool_${String(index).padStart(2, '0')}`,
  description: `${subjects[index % subjects.length]} ${verbs[index % verbs.length]} ${objects[index % objects.length]}.`,
}))
