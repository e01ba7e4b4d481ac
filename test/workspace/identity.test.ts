import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseIdentity, resolveIdentity } from '../../src/workspace/identity.js'

const names = (cases: Record<string, string>) => Object.entries(cases)

describe('the name', () => {
  it.each(
    names({
      'bold bullet': '# IDENTITY.md\n\n- **Name:** Juniper\n- **Creature:** heron\n',
      'colon outside the bold': '- **Name**: Juniper',
      'other bullets': '* **Name:** Juniper',
      'numbered list': '1. **Name:** Juniper\n2. **Role:** gardener',
      'plain bullet': '- Name: Juniper',
      'another label': '- Agent: Juniper',
      'value on the next line': '- **Name:**\n  Juniper\n- **Creature:**\n  heron',
      'value on the next line, after a gap': '- **Name:**\n\n  Juniper\n',
      'value on the next line, not indented': '- **Name:**\nJuniper\n',
      'value in a bullet below': '- **Name:**\n  - Juniper\n',
      'value behind a hint': '- **Name:**\n  _(whatever suits you)_\n  Juniper\n',
      'hint behind the value': '- **Name:** Juniper _(whatever suits you)_\n',
      'hint below the value': '- **Name:** Juniper\n  _(whatever suits you)_\n',
      'no bullet': '**Name**: Juniper',
      'no bullet, the value below': '**Name:**\nJuniper\n\n**Role:**\ngardener',
      'bold label alone': '**Name**\nJuniper',
      'everything bold': '**Name: Juniper**',
      'a dash for a colon': '- **Name** — Juniper',
      underscores: '- __Name:__ Juniper',
      italics: '- *Name:* Juniper',
      bare: 'name: Juniper',
      'bare and shouted': 'NAME : Juniper',
      heading: '## Name\n\nJuniper\n\n## Role\n\ngardener',
      'heading, hint, value': '## Name\n\n_(whatever suits you)_\n\nJuniper\n',
      'heading with a colon': '### Name:\nJuniper',
      'numbered heading': '## 1.1. Name\n**Juniper**',
      'heading with the value': '## Name: Juniper',
      'heading over a bullet': '## Name\n- **Primary:** Juniper\n- **Short:** June',
      'table with an empty header': '|  |  |\n|---|---|\n| **Name** | Juniper |\n| **Emoji** | 🪴 |',
      'table with a header': '| Field | Value |\n|:--|:--|\n| Name | Juniper |',
      'table whose header is a row': '| Name | Juniper |\n|---|---|\n| Role | gardener |',
      'table with labels above': '| Name | Role |\n|---|---|\n| Juniper | gardener |',
      'block quote': '> **Name:** Juniper',
      'list on one line': '# IDENTITY - **Name:** Juniper - **Role:** gardener - **Emoji:** 🪴',
      picture: '- 🏷️ **Name:** Juniper',
      'label with an aside': '- **Name (required):** Juniper',
      'label with a long aside':
        '- **Name (short: two syllables at most, e.g. Rowan, easy to say and to spell):** Juniper',
      'label in two languages': '- **Name / 名字:** Juniper',
      'label in two languages, no slash': '- **Name 名字：** Juniper',
      'front matter above a body': '- **Name:** Juniper',
      crlf: '# Me\r\n\r\n- **Name:**\r\n  Juniper\r\n',
      'after a banner': '_Fill this in during your first conversation._\n\n- **Name:** Juniper',
      'before an essay': `- **Name:** Juniper\n\n${'I tend the beds and keep the diary. '.repeat(120)}`,
    }),
  )('%s', (_form, text) => {
    expect(parseIdentity(text).name).toBe('Juniper')
    expect(resolveIdentity({ file: text }).name).toBe('Juniper')
  })

  it.each(
    names({
      名前: '- **名前:** 柚子',
      'お名前, in brackets': '- 名前（Name）：柚子',
      '名字 without bullet': '**名字**: 柚子',
      '名字, wide colon inside': '- **名字：** 柚子',
      '名称 as heading': '## 名称\n\n柚子\n',
      名稱: '- **名稱：**\n  柚子',
      姓名: '- 姓名: 柚子',
      昵称: '- **昵称：** 柚子',
      暱稱: '暱稱：柚子',
      'dot as bullet': '・名前：柚子',
      table: '| 项目 | 内容 |\n|---|---|\n| 名字 | 柚子 |',
    }),
  )('%s', (_form, text) => expect(parseIdentity(text).name).toBe('柚子'))

  it('이름', () => {
    expect(parseIdentity('- 이름: 보리\n- 역할: 정원사')).toEqual({ name: '보리', role: '정원사' })
    expect(parseIdentity('## 이름\n\n보리')).toEqual({ name: '보리' })
    expect(parseIdentity('- **닉네임**: 보리')).toEqual({ name: '보리' })
  })

  it.each([
    '_(pick something you like)_',
    '*(pick something you like)*',
    '_(none yet)_',
    '_(TBD)_',
    'TBD',
    '**TBD**',
    'tbd.',
    '_(待设置)_',
    '_(待选择)_',
    '（待老板指定）',
    '待老板指定',
    '待定',
    '(미정)',
    '미정',
    "[Your agent's name — short, easy to say]",
    '[Name]',
    '{{agent_name}}',
    '{{ identity.name }}',
    '$' + '{AGENT_NAME}',
    '{name}',
    '<your name>',
    'AGENT_NAME',
    '___',
    '…',
    '...',
    '—',
    '?',
    '_(optional)_',
    '(optional)',
    '未设置',
    '未設定',
    '待填写',
    '（待填写）',
    '未定',
    '(任意)',
    '없음',
    '나중에 결정',
    'n/a',
    'none',
    'Not set yet',
    'to be determined',
    'your name',
    'your preferred name (or a nickname)',
    'Pick a name you like',
    '选一个你喜欢的',
    '好きなものを選んでください',
    '마음에 드는 이름을 고르세요',
    'e.g. Rosemary',
    '例：柚子',
    'What should I be called?',
    '<!-- a name -->',
    '',
  ])('a placeholder is none: %j', (value) => {
    for (const text of [
      `- **Name:** ${value}`,
      `- **Name:**\n  ${value}`,
      `## Name\n\n${value}\n`,
      `| Name | ${value} |`,
    ]) {
      expect(parseIdentity(`${text}\n`)).toEqual({})
      expect(resolveIdentity({ file: text, metadata: { name: value } }).name).toBe('Assistant')
    }
    expect(parseIdentity(`- **Name:** ${value}\n- **Name:** Juniper`).name).toBe('Juniper')
  })

  it('does not read titles and prose', () => {
    for (const text of [
      '# IDENTITY.md - Juniper\n\nKeeps the garden diary.',
      '# Juniper\n\nYou are **Juniper**, who keeps the garden diary.',
      '# Name: Juniper\n',
      '# 我是柚子\n\n我叫柚子，负责菜园。',
      'My friends: Juniper and Rowan',
      '# Agent\n\nKeeps the garden diary.\n\n**Agent**\nKeeps the gate.',
      '- **Creature:** heron\n- **Nature:** patient\n- **Pronouns:** they',
      '| Name | Role |\n|---|---|\n| Juniper | gardener |\n| Rowan | cook |',
      '| File | Purpose |\n|---|---|\n| SOUL.md | voice |',
      '- 9:00: open the gate\n- see https://example.org/name: it is there',
    ]) {
      expect(parseIdentity(text).name).toBeUndefined()
    }
  })

  it('does not read fences, comments and hints', () => {
    const sample = '```markdown\n- **Name:** Basil\n```'
    expect(parseIdentity(sample)).toEqual({})
    expect(parseIdentity(`${sample}\n\n- **Name:** Juniper`)).toEqual({ name: 'Juniper' })
    expect(parseIdentity(`- **Name:**\n${sample}\n\n- **Role:** gardener`)).toEqual({ role: 'gardener' })
    expect(parseIdentity('- **Name:** Juniper\n\n~~~\n- Name: Basil\n~~~~\n')).toEqual({ name: 'Juniper' })
    expect(parseIdentity('- **Role:** gardener\n\n```\n- **Name:** Basil\n')).toEqual({ role: 'gardener' })
    expect(parseIdentity('> ```\n> Name: Basil\n\nName: Juniper')).toEqual({ name: 'Juniper' })
    expect(parseIdentity('<!--\n```\n- **Name:** Basil\n-->\n- **Name:** Juniper')).toEqual({ name: 'Juniper' })
    expect(parseIdentity('<!-- - **Name:** Basil -->\n')).toEqual({})
    expect(parseIdentity('- **Name:**\n  <!-- short -->\n  Juniper')).toEqual({ name: 'Juniper' })
    expect(parseIdentity('- **Name:** Juniper <!-- not Basil -->')).toEqual({ name: 'Juniper' })
    expect(parseIdentity('A `<!--` opens a comment.\n- **Name:** Juniper\n<!-- end -->')).toEqual({ name: 'Juniper' })
    expect(parseIdentity('- **Name:**\n  _whatever suits you, really_\n')).toEqual({})
    expect(parseIdentity('- **Name:**\n  _(something short,\n  easy to say)_\n- **Role:** gardener')).toEqual({
      role: 'gardener',
    })
  })

  it('takes the first real value, and none from bullets below another', () => {
    expect(parseIdentity('- **Name:** TBD\n- **Role:** gardener\n\n## Name\n\nJuniper\n\n- Name: Basil').name).toBe(
      'Juniper',
    )
    expect(parseIdentity('- **Name:** Juniper\n  - Name: from the shrub\n  - short: June').name).toBe('Juniper')
    expect(parseIdentity('- **Creature:** heron\n  - Name: grey heron\n- **Name:** Juniper').name).toBe('Juniper')
    expect(parseIdentity('- Identity\n  - Name: Juniper').name).toBe('Juniper')
    expect(parseIdentity('- **Nickname:** June\n- **Name:** Juniper').name).toBe('Juniper')
    expect(parseIdentity('- **Name:** (未定)\n- **昵称：** 柚子').name).toBe('柚子')
  })

  it('reads a template in two languages, empty or filled in', () => {
    const template =
      '- **Name:**\n  **名字：**\n  *(pick something you like)*\n  *（选个你喜欢的）*\n\n- **Vibe:**\n  **风格：**\n'
    expect(parseIdentity(template)).toEqual({})
    expect(parseIdentity(template.replace('名字：**', '名字：** 柚子').replace('风格：**', '风格：** 沉静'))).toEqual({
      name: '柚子',
      voice: '沉静',
    })
  })

  it('takes 身份 for a name only where no other label could hold one', () => {
    expect(parseIdentity('- **身份：** 柚子\n- **风格：** 沉静')).toEqual({ name: '柚子', voice: '沉静' })
    expect(parseIdentity('- **名字：** 柚子\n- **身份：** 园丁')).toEqual({ name: '柚子', role: '园丁' })
    expect(parseIdentity('- **名字：** （待设置）\n- **身份：** 园丁')).toEqual({ role: '园丁' })
    expect(parseIdentity('- **名字：** 柚子\n- **身份：** 园丁\n- **角色：** 守门人').role).toBe('守门人')
  })

  it('is clean, one line and at most 50 units', () => {
    const name = (value: string) => parseIdentity(`- **Name:** ${value}`).name
    for (const value of [
      '**Juniper**',
      '*Juniper*',
      '_Juniper_',
      '`Juniper`',
      '"Juniper"',
      '“Juniper”',
      '「Juniper」',
      "***'Juniper'***",
    ]) {
      expect(name(value)).toBe('Juniper')
    }
    expect(name('[Juniper](https://example.org/juniper)')).toBe('Juniper')
    expect(name('"Juniper" or "June"')).toBe('"Juniper" or "June"')
    expect(name('snake_case_name')).toBe('snake_case_name')
    expect(name('Juniper \u0007of\t\tthe\u202e  North\u0000')).toBe('Juniper of the North')
    expect(name('Juniper<br>')).toBe('Juniper')
    expect(name('x'.repeat(80))).toBe('x'.repeat(50))
    expect(name(`${'x'.repeat(49)}🪴`)).toBe('x'.repeat(49))
    expect(name(`${'x'.repeat(48)}🪴y`)).toBe(`${'x'.repeat(48)}🪴`)
    expect(name(`${'x'.repeat(42)}👨‍👩‍👧‍👦`)).toBe('x'.repeat(42))
    expect(name(`${'x'.repeat(49)}e\u0301`)).toBe('x'.repeat(49))
    expect(name(`${'x'.repeat(40)}         ${'y'.repeat(9)}`)).toBe(`${'x'.repeat(40)} ${'y'.repeat(9)}`)
    expect(name(`a${'\u0301'.repeat(60)}`)).toBeUndefined()
    expect(name('Juni\ud83eper')).toBe('Juniper')
  })
})

describe('the other fields', () => {
  it('reads them all', () => {
    expect(
      parseIdentity(`# IDENTITY.md - Who Am I?

_Fill this in during your first conversation. Make it yours._

- **Name:** Juniper
- **Creature:** a heron that learned to read
- **Role:** keeps the garden diary
- **Goals:** a harvest before the frost
- **Vibe:** dry, patient
- **Emoji:** 🪴
- **Avatar:** ./juniper.png
`),
    ).toEqual({
      name: 'Juniper',
      role: 'keeps the garden diary',
      goals: 'a harvest before the frost',
      voice: 'dry, patient',
      emoji: '🪴',
      avatar: './juniper.png',
    })
    expect(
      parseIdentity('- **角色：** 园丁\n- **目标：** 丰收\n- **语气：** 平和\n- **表情符号：** 🪴\n- **头像：** 🪴'),
    ).toEqual({
      role: '园丁',
      goals: '丰收',
      voice: '平和',
      emoji: '🪴',
      avatar: '🪴',
    })
    expect(parseIdentity('役割：庭師\n目標：収穫\n話し方：穏やか\n絵文字：🪴\nアバター：庭.png')).toEqual({
      role: '庭師',
      goals: '収穫',
      voice: '穏やか',
      emoji: '🪴',
      avatar: '庭.png',
    })
    expect(parseIdentity('- 역할: 정원사\n- 목표: 수확\n- 말투: 차분함\n- 이모지: 🪴\n- 아바타: 정원.png')).toEqual({
      role: '정원사',
      goals: '수확',
      voice: '차분함',
      emoji: '🪴',
      avatar: '정원.png',
    })
  })

  it.each(['🪵 → 💪', '🙂 (임시)', '🧑💻🎵', '👨‍👩‍👧‍👦', '🏴󠁧󠁢󠁷󠁬󠁳󠁿', '✌🏽', '❤️', '(◕‿◕)', '^_^', ':)', '[🪴]'])(
    'leaves emoji alone: %s',
    (emoji) => {
      expect(parseIdentity(`- **Emoji:** ${emoji}`)).toEqual({ emoji })
      expect(parseIdentity(`- **Emoji:**\n  ${emoji}`)).toEqual({ emoji })
    },
  )

  it.each([
    './x.png',
    'avatars/juniper.webp',
    'https://example.org/a.png',
    '🪴',
    'a heron in a straw hat, in ink',
    '![me](a.png)',
  ])('leaves avatars alone: %s', (avatar) => expect(parseIdentity(`- **Avatar:** ${avatar}`)).toEqual({ avatar }))

  it('joins what runs over several lines, where it may be long', () => {
    expect(parseIdentity('- **Role:** keeps the diary\n  and the gate\n- **Vibe:** dry').role).toBe(
      'keeps the diary and the gate',
    )
    expect(
      parseIdentity(
        '## Goals\n\n- a harvest\n- **quiet** evenings\n\n- [ ] no idea\n\n## Voice\n\nDry,\nand patient.\n\nMore of it.',
      ),
    ).toEqual({
      goals: 'a harvest; quiet evenings',
      voice: 'Dry, and patient.',
    })
    expect(parseIdentity('- **Goals:**\n  - a harvest\n  - quiet evenings\n- **Name:** Juniper').goals).toBe(
      'a harvest; quiet evenings',
    )
    expect(parseIdentity('- **Name:** Juniper\n  of the North\n')).toEqual({ name: 'Juniper' })
    expect(parseIdentity('- **Role:** keeps the diary\n  _(one line is enough)_\n')).toEqual({
      role: 'keeps the diary',
    })
  })

  it('has no field that nobody filled in', () => {
    const template = `# IDENTITY.md

- **Name:**
  _(pick something you like)_
- **Vibe:**
  _(sharp? warm? calm?)_
- **Emoji:**
  _(your signature)_
- **Avatar:**
  _(a path, an address, or a data URI)_

---

Fields are read as \`- Label: value\` lines.
`
    expect(parseIdentity(template)).toEqual({})
    expect(Object.keys(parseIdentity(template.replace('**Vibe:**', '**Vibe:** dry')))).toEqual(['voice'])
  })
})

describe('where it comes from', () => {
  const file = '---\nsummary: who I am\nname: Basil\n---\n\n- **Name:** Juniper\n- **Role:** gardener\n'

  it('takes each field from the first that has it', () => {
    expect(resolveIdentity({})).toEqual({ name: 'Assistant' })
    expect(resolveIdentity({ file })).toEqual({ name: 'Juniper', role: 'gardener' })
    expect(
      resolveIdentity({
        global: { name: ' ', emoji: '🪴' },
        agent: { name: 'Rowan', emoji: '🌳', voice: 'dry' },
        file,
      }),
    ).toEqual({ name: 'Rowan', role: 'gardener', voice: 'dry', emoji: '🪴' })
    expect(resolveIdentity({ global: { name: 'Sorrel' }, agent: { name: 'Rowan' }, file }).name).toBe('Sorrel')
  })

  it('takes a name from front matter last', () => {
    expect(parseIdentity('- **Role:** gardener', { name: 'Basil' })).toEqual({ name: 'Basil', role: 'gardener' })
    expect(parseIdentity('- **Name:** Juniper', { name: 'Basil', role: 'cook' })).toEqual({ name: 'Juniper' })
    expect(parseIdentity('', { name: 42 })).toEqual({})
    expect(parseIdentity('', { name: 'TBD' })).toEqual({})
    const body = '\n- **Role:** gardener\n'
    const named = (head: string) => resolveIdentity({ file: `---\n${head}\n---\n${body}` })
    expect(named('name: Basil')).toEqual({ name: 'Basil', role: 'gardener' })
    expect(named('title: x\nName:   "Basil"  # the herb').name).toBe('Basil')
    expect(named("name: 'Basil'").name).toBe('Basil')
    expect(named('name: Basil # the herb').name).toBe('Basil')
    for (const head of [
      'name: |\n  Basil',
      'name: [Basil]',
      'name: &a Basil',
      'name:',
      'name: _(none yet)_',
      'meta:\n  name: Basil',
    ]) {
      expect(named(head)).toEqual({ name: 'Assistant', role: 'gardener' })
    }
    expect(resolveIdentity({ file, metadata: { name: 'Sorrel' } }).name).toBe('Juniper')
    expect(resolveIdentity({ file: `---\nname: Basil\n---\n${body}`, metadata: { name: 'Sorrel' } }).name).toBe(
      'Sorrel',
    )
  })

  it('takes a rule on the first line for a rule', () => {
    expect(resolveIdentity({ file: '---\n\n- **Name:** Juniper\n\n---\n\nMore.' }).name).toBe('Juniper')
    expect(resolveIdentity({ file: '---\nA diary.\n\n- **Name:** Juniper\n' }).name).toBe('Juniper')
    expect(resolveIdentity({ file: '---\r\nname: Basil\r\n---\r\n- **Name:** Juniper\r\n' }).name).toBe('Juniper')
    expect(resolveIdentity({ file: '\ufeff---\nname: Basil\n---\n' }).name).toBe('Basil')
  })

  it('keeps what the options say, but for its length and control characters', () => {
    expect(resolveIdentity({ global: { name: 'TBD', role: '*chief*' } })).toEqual({ name: 'TBD', role: '*chief*' })
    expect(resolveIdentity({ agent: { name: ` ${'🪴'.repeat(30)}\n` } }).name).toBe('🪴'.repeat(25))
    expect(resolveIdentity({ agent: { name: 'Juni\u0000per\u202e' } }).name).toBe('Juniper')
  })
})

describe('any text', () => {
  const words = [
    '- **Name:**',
    '**Name**',
    '## Name',
    'name: ',
    '- ',
    '  ',
    '\n',
    '\r\n',
    '\t',
    '_(',
    ')_',
    '（',
    '[x',
    ']',
    '{{',
    '}}',
  ]
  const more = [
    '```',
    '~~~',
    '<!--',
    '-->',
    '| Name |',
    '|---|',
    '---',
    ' - **Role:** ',
    '身份：',
    '🪴',
    '👨‍👩‍👧',
    '\ud83e',
    '\u0301',
    'Juniper',
    '`',
    '"',
  ]
  const soup = fc.array(fc.constantFrom(...words, ...more), { maxLength: 60 }).map((parts) => parts.join(''))

  it.each([
    ['strings', fc.string({ unit: 'binary', maxLength: 300 })],
    ['graphemes', fc.string({ unit: 'grapheme', maxLength: 300 }).map((value) => `- **Name:** ${value}`)],
    [
      'loose units',
      fc.array(fc.integer({ min: 0, max: 0xffff })).map((units) => `Name: ${String.fromCharCode(...units)}`),
    ],
    ['markup', soup],
  ])('of %s gives a name of at most 50 units, whole and in one line', (_kind, texts) => {
    fc.assert(
      fc.property(texts, (text) => {
        const { name } = resolveIdentity({ file: text })
        expect(name).not.toBe('')
        expect(name.length).toBeLessThanOrEqual(50)
        expect(name).toBe(name.trim())
        expect(name).not.toMatch(/[\p{Cc}\p{Cs}\u2028\u2029]/u)
        for (const value of Object.values(parseIdentity(text))) expect(value).not.toMatch(/^$|[\p{Cc}\p{Cs}]/u)
        const config = resolveIdentity({ agent: { name: text } }).name
        expect(config.length).toBeLessThanOrEqual(50)
        expect(config).not.toMatch(/[\p{Cc}\p{Cs}]/u)
      }),
      { numRuns: 500 },
    )
  })

  it('reads a plain name back from every form', () => {
    const plain = fc
      .stringMatching(/^[A-Z][a-z]{3,9}( [A-Z][a-z]{3,9})?$/)
      .filter((name) => !/^(None|Name|Todo|Text|Role|Value|Empty|Blank|Unset)/.test(name))
    const form = fc.constantFrom(
      (name: string) => `- **Name:** ${name}`,
      (name: string) => `- **Name**: ${name}`,
      (name: string) => `- **Name:**\n  ${name}`,
      (name: string) => `## Name\n\n${name}`,
      (name: string) => `| | |\n|-|-|\n| Name | ${name} |`,
      (name: string) => `名前：${name}`,
    )
    fc.assert(
      fc.property(plain, form, (name, write) => {
        expect(parseIdentity(`# Me\n\n${write(name)}\n\nEnd.`).name).toBe(name)
      }),
    )
  })

  it.each(
    [
      'a',
      '\n',
      '- **Name:**\n',
      '- **Name:** ',
      '<!--',
      '<!-- x\n',
      '<!---->',
      '```\n',
      '_(',
      '(\n',
      '_a\n',
      '**',
      '[',
      '{{',
      '|',
      '| Name |\n',
      '|名|\n',
    ]
      .concat([
        '|-|\n',
        ' - **a:**',
        ' - **',
        'name: ',
        '「',
        '* * *\n',
        '# ',
        '## Name\n',
        '## Name\nx\n',
        '  ',
        '\u0301\u0323',
        '👨‍👩‍👧‍👦',
        '\ud800',
        '---\n',
      ])
      .map((piece) => [piece]),
  )(
    'a megabyte of %j runs to the end',
    (piece) => {
      const flood = piece.repeat(Math.ceil(1_000_000 / piece.length))
      parseIdentity(flood)
      const { name } = resolveIdentity({ file: `---\n- **Name:** ${flood}`, agent: { role: flood } })
      expect(name.length).toBeLessThanOrEqual(50)
    },
    30_000,
  )
})
