import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isNearlyEmpty, significantChars } from '../../src/workspace/significance.js'

const banner = "_Notes on the person you're helping. Update this as you find out more._"
const footer = `---

The more you know, the more use you are. Still: a person, and nobody is building a dossier here.
Respect the difference.`
const hint =
  '_(What do they do all day? What makes their week? What do they\nnever want to hear again? Build this over time.)_'

const english = `# USER.md - About Your Human

${banner}

- **Name:**
- **What to call them:**
- **Pronouns:** _(optional)_
- **Timezone:**
- **Notes:**

## Context

${hint}

${footer}
`

const untouched: Record<string, string> = {
  'en, bullets': english,
  'en, values on the next line': `# IDENTITY.md

_Fill this in during your first conversation, in your own words._

- **Name:**
  _(pick something you like)_
- **Creature:**
  _(robot? heron? a rumour?)_
- **Avatar:**
  _(a file in here, an address, or a data URI)_

---

This isn't just metadata. Somewhere below begins the work of figuring out who you are.

Notes:

- Save this in the workspace root as \`IDENTITY.md\`.
- For avatars, a path below \`avatars/\` will do.

## Related

- [Workspace](/concepts/agent-workspace)
`,
  'en, prose banners': `# User

Information about the user goes here. It helps to personalize interactions.

What do they care about? What are they building? What annoys them
(e.g. long replies, small talk), and what do they laugh about?

Add projects, preferences and facts here as you learn them.

If any field stays blank, leave it blank. Do not invent values.
`,
  'en, form with boxes': `# Profile

- **Name**: (your name)
- **Timezone**: (your timezone, e.g., UTC+8)

### Tone

- [ ] Casual and chatty, with a joke now and then
- [ ] Strictly professional, no small talk at all
- [ ] Technical, with every detail

## Topics

-
-
-

## Instructions

(Anything in particular to do or to leave)

---

*Edit this file to make it fit.*
`,
  'en, brackets': `# About you

**Name:** [Your full name]
**Home:** [City, country]
**Household:** [Flat / house / boat]

[Write a paragraph about who this person is, how they live and what they would like to hear less of.]

- **[Topic].** [What you noticed]

> Your name or a nickname, as you'd like to be addressed.
`,
  'en, variables': `# USER.md - {{ user.name }}

- **Name:** {{ user_name }}
- **Address:** \${USER_ADDRESS}
- **Timezone:** <IANA time zone>
- **Handle:** YOUR_HANDLE
- **Since:** ____

{{ user_context }}
`,
  'en, todo': `# USER.md

- **Name:** // TODO
- **Interests:** // TODO

// TODO: learn about the person you're helping and note it all in this file.

## Habits

TODO: which applications, which order, which keyboard layout, which editor theme?
`,
  'en, list of prompts': `# USER.md

- **Name:** Your name or a nickname
- **Timezone:** Your timezone for scheduling (e.g., Europe/Lisbon)
- **Notes:** Anything else your agent should know before it starts

Add any context that may be of use:
- How the working week looks
- Hobbies that come up in talk
- Food, travel and music preferences
- People who are mentioned often
`,
  'en, table': `# User

| Field | Value | Needed |
|-------|-------|--------|
| Name | | yes |
| Timezone | TBD | no |
| Languages | _(optional)_ | |
| Reply language | … | |
`
    .replaceAll('| yes |', '| |')
    .replaceAll('| no |', '| |'),
  'en, fenced': `# USER.md

Use this file for what lasts. Copy the block and fill it in:

\`\`\`markdown
# User Profile

- **Name:** *(what to say)*
- **Projects:**

## About
*(a few lines on the person, their work and what they would rather not see)*
\`\`\`

## Example

\`\`\`markdown
- **Name:** Rowan
- **Projects:** a boat, a bakery, and a book about both that will never be done
- **Notes:** prefers letters, answers in the evening, reads everything twice
\`\`\`
`,
  'en, yaml in a fence': `# USER.md

\`\`\`yaml
name: ""            # Learned from conversation
timezone: null      # IANA, may differ from where they are just now
languages: []       # in the order they prefer, the first for replies
\`\`\`
`,
  'en, comments': `<!-- Everything between these marks is for whoever fills in the file:
a name, a time zone and whatever else helps. Nothing of it reaches the model. -->
# User

## Name
<!-- what do they go by -->

## Time zone
<!-- IANA, as in Europe/Lisbon -->
`,
  'en, front matter': `---
summary: "A template for the person in front of the keyboard, for first use"
read_when:
  - Setting up a workspace by hand, without the wizard
---

# USER.md

- Name:
- Timezone:
`,
  'zh, bullets': `# USER.md - 关于你的用户

_了解你正在帮助的人，有新情况就更新此文件。_

- **姓名：**
- **称呼：** _（可选）_
- **时区：**
- **备注：**

## 背景

_（他们在忙什么？喜欢什么？讨厌什么？什么能让他们笑？随着时间慢慢补充。）_

---

你了解得越多，就越帮得上忙。但要记住，你是在了解一个人。请尊重这一点。
`,
  'zh, placeholders': `# 用户

- 姓名：（待填写）
- 时区：未设置
- 语言：暂无
- 头像：（待老板指定）
- 目标：待定
- 备注：_（待设置）_

请在此处填写用户的基本情况、偏好和正在做的事情，写得越具体越好。

此文件由主人和智能体一起维护，随时更新。
`,
  'zh, headings': `# 用户档案

## 名字

（选一个称呼）

## 在做的事

在这里添加正在进行的项目

## 喜好

例如：口味、音乐、作息、常去的地方、不想听到的话题

---

*初次对话时填写，之后持续更新。*
`,
  'zh-TW, table': `# 使用者

| 項目 | 內容 |
|------|------|
| 姓名 | 未設定 |
| 時區 | （選填） |
| 備註 |  |

請填寫上方欄位。隨著時間持續更新這份檔案，並請尊重對方的隱私。
`,
  'ja, bullets': `# USER.md - あなたの相手

_支援する相手を知るためのメモです。話しながら更新してください。_

- **名前:**
- **呼び方:** _(任意)_
- **タイムゾーン:** 未設定
- **メモ:** （未記入）

## 背景

_(どんな仕事をしていますか？何が好きですか？何が苦手ですか？時間をかけて書き足しましょう。)_

---

相手を知るほど役に立てます。ただし、調書を作っているのではありません。その違いを尊重してください。
`,
  'ja, prose': `# ユーザー

このファイルはユーザーの情報をまとめるためのものです。

ここにユーザーの名前や好み、いま取り組んでいることを記入してください。

- 名前：
- 仕事：未定
- 例：朝型、和食が好き、電話が苦手
`,
  'ko, bullets': `# USER.md - 사용자

_지금 돕고 있는 사람에 대한 메모입니다. 대화하면서 업데이트하세요._

- **이름:** (미정)
- **호칭:** _(선택 사항)_
- **시간대:** 미정
- **메모:**

## 배경

_(무슨 일을 하나요? 무엇을 좋아하나요? 무엇을 싫어하나요? 시간을 두고 채워 나가세요.)_

---

더 많이 알수록 더 잘 도울 수 있습니다. 하지만 그 사람과의 차이를 존중하세요.
`,
  'ko, headings': `# 사용자

## 이름

[이름을 적는 곳]

## 하는 일

여기에 하는 일과 진행 중인 프로젝트를 자세히 작성하세요.

## 취향

예: 매운 음식, 아침형, 짧은 답변, 전화보다 문자
`,
  'ko, table': `| 항목 | 값 |
|---|---|
| 이름 | 미입력 |
| 시간대 | 없음 |
| 관심사 | (추후 입력) |
`,
  'both languages': `# USER.md

*Learn about the person you're helping.*
*了解你正在帮助的人。*

- **Name:**
- **姓名：**

- **Pronouns:** *(optional)*
- **代词：** *（可选）*

The more you know, the better.
你知道得越多越好。
`,
}

const filled: Record<string, string> = {
  'en, bullets with everything left over': english
    .replace('Name:**', 'Name:** Rowan Achterberg')
    .replace('call them:**', 'call them:** Rowan')
    .replace('Timezone:**', 'Timezone:** Europe/Lisbon (GMT+1)')
    .replace('Notes:**', 'Notes:** builds boats, answers in the evening, hates phone calls'),
  'en, values on the next line': `# USER.md

- **Name:**
  Rowan Achterberg
- **Timezone:**
  Europe/Lisbon, sometimes America/Halifax
- **Notes:**
  builds boats, answers in the evening, hates phone calls and long forms
`,
  'en, short': `# USER.md

- **Name:** Rowan Achterberg
- **Timezone:** Europe/Lisbon
- **Notes:** builds boats, answers in the evening, no phone calls, short replies please
`,
  'en, prose':
    'Rowan builds wooden boats in a shed by the river. Short replies, metric units, no small talk before noon, and never an exclamation mark.',
  'en, table': `| Field | Value |
|---|---|
| Name | Rowan Achterberg |
| Timezone | Europe/Lisbon |
| Work | builds boats, sells bread on Saturdays |
| Wants | short replies, metric units |
`,
  'en, headings': `# Profile

## Name
Rowan Achterberg

## Work
Builds boats, sells bread on Saturdays, writes about both.

## Wants
Short replies, metric units, no small talk before noon.
`,
  'en, two people': `# USER.md

_Notes on the person you're helping._

### Rowan
- **Timezone:** Europe/Lisbon
- builds boats, wants short replies

### Sorrel
- **Timezone:** _(optional)_
- sells the bread, decides about money, never to be woken before nine
`,
  'en, checked boxes': `# Profile

- **Name**: Rowan Achterberg
- [ ] Casual
- [x] Technical, with every detail and the numbers behind it
- [x] Metric units, dates as YYYY-MM-DD, times in Lisbon
`,
  'en, a fence around it all':
    '```markdown\n# User\n- **Name:** Rowan Achterberg\n- **Timezone:** Europe/Lisbon\n- **Notes:** builds boats, answers in the evening, hates phone calls\n```\n',
  'en, a fence that never closes':
    '# User\n\n```\nRowan Achterberg, Europe/Lisbon, builds boats, answers in the evening, hates phone calls and long forms\n',
  'flattened into one line': `# USER.md - 关于你的用户 _了解你正在帮助的人。_ - **姓名：** 罗文，木匠，住在河边的棚子里 - **称呼：** 老罗 - **时区：** Asia/Shanghai (GMT+8) - **备注：** 晚上才回消息，讨厌电话，喜欢简短的回答，周六卖面包，正在写一本关于船和面包的书，单位一律用公制，不要感叹号，中午之前不要闲聊`,
  'zh, under two hundred': `# 用户

- **称呼：** 老罗
- **时区：** Asia/Shanghai
- **工作：** 在河边的棚子里造木船，周六去集市卖自己烤的面包，正在写一本关于船和面包的书
- **偏好：** 回答要短，单位用公制，不要感叹号，中午之前不要闲聊，晚上才回消息
`,
  'ja, under two hundred': `# ユーザー

- 名前：朝倉ロワン
- タイムゾーン：Asia/Tokyo
- 仕事：川沿いの小屋で木の船を造り、土曜は市場でパンを売る。本も書いている
- 好み：短い返事、メートル法、昼まで雑談なし。電話は苦手で、夜に返信する
`,
  'ko, under two hundred': `# 사용자

- **이름:** 한로완
- **시간대:** Asia/Seoul
- **하는 일:** 강가 작업실에서 나무배를 만들고 토요일에는 시장에서 빵을 판다
- **취향:** 짧은 답변, 미터법, 정오 전에는 잡담 금지. 전화보다 문자, 답장은 저녁에
`,
  'an identity': `# IDENTITY.md - Who Am I?

_Fill this in during your first conversation._

- **Name:** Juniper
- **Creature:** a heron that learned to read the tide tables
- **Vibe:** dry, patient, a little damp
- **Emoji:** 🪴
- **Avatar:**
  _(a path or a data URI)_
`,
}

describe('an untouched template is nearly empty', () => {
  it.each(Object.entries(untouched))('%s', (_name, text) => {
    expect(significantChars(text)).toBeLessThan(60)
    expect(isNearlyEmpty(text)).toBe(true)
    expect(isNearlyEmpty(text.replaceAll('\n', '\r\n'))).toBe(true)
  })

  it('however long it is', () => {
    expect(english.length).toBeGreaterThan(440)
    expect(significantChars(english)).toBe(0)
  })

  it('and so is nothing', () => {
    for (const text of [
      '',
      ' \n\t\n',
      '# User\n',
      '---\n',
      '- \n- \n',
      '<!-- a -->',
      '\ufeff',
      '___',
      '| a | b |\n|---|---|\n|  |  |',
    ]) {
      expect(significantChars(text)).toBe(0)
      expect(isNearlyEmpty(text)).toBe(true)
    }
  })
})

describe('a filled file is not', () => {
  it.each(Object.entries(filled))('%s', (_name, text) => {
    expect(isNearlyEmpty(text)).toBe(false)
    expect(significantChars(text)).toBeGreaterThanOrEqual(100)
  })

  it('however short it is', () => {
    const short = filled['en, short'] as string
    expect(short.length).toBeLessThan(170)
    for (const name of ['zh', 'ja', 'ko'])
      expect((filled[`${name}, under two hundred`] as string).length).toBeLessThan(200)
  })
})

describe('one or two values are nearly empty', () => {
  it.each([
    english.replace('Timezone:**', 'Timezone:** Europe/Lisbon (GMT+1)'),
    english.replace('call them:**', 'call them:** Rowan').replace('Timezone:**', 'Timezone:** UTC+1'),
    (untouched['zh, bullets'] as string)
      .replace('时区：**', '时区：** Asia/Shanghai')
      .replace('备注：**', '备注：** 喜欢简短的回答'),
    (untouched['ko, bullets'] as string).replace('시간대:** 미정', '시간대:** Asia/Seoul'),
    (untouched['ja, bullets'] as string).replace('名前:**', '名前:** 朝倉'),
  ])('case %#', (text) => {
    expect(significantChars(text)).toBeGreaterThan(0)
    expect(isNearlyEmpty(text)).toBe(true)
  })
})

describe('what counts', () => {
  it.each([
    ['- **Name:** Rowan', 'Name: Rowan'.length],
    ['- **Name**: Rowan', 'Name: Rowan'.length],
    ['**姓名：** 罗文', '姓名：'.length + 1 + '罗文'.length],
    ['- **Name:** Rowan _(optional)_', 'Name: Rowan'.length],
    ['- **Pronouns:** _(optional)_', 0],
    ['- **Pronouns:** (optional) they', 'Pronouns: they'.length],
    ['- **Name:**', 0],
    ['Name:', 0],
    ['Name:\nTimezone:\nNotes:', 0],
    ['Name:\n\nTimezone: UTC', 'Timezone: UTC'.length],
    ['- Voice (a few words: dry, e.g. or warm):', 0],
    ['- **Notes:**\n  - likes tea', 'likes tea'.length],
    ['- **Emoji:** 🪴', 'Emoji: 🪴'.length],
    ['## Rowan', 0],
    ['Rowan\n=====', 0],
    ['**Rowan** likes *tea* and `bread`', 'Rowan likes tea and bread'.length],
    ['Rowan   likes\ntea', 'Rowan likes tea'.length],
    ['名：柚子\n茶', '名：柚子 茶'.length + 1],
    ['- [x] likes tea', 'likes tea'.length],
    ['- [ ] likes tea', 0],
    ['* * *', 0],
    ['> likes tea', 'likes tea'.length],
    ['<!-- likes\ntea -->', 0],
    ['likes <!-- green --> tea', 'likes tea'.length],
    ['<!-- likes tea', '<!-- likes tea'.length],
    ['_likes tea_', 0],
    ['(likes tea)', 0],
    ['_likes tea_, she says', 'likes tea, she says'.length],
    ['(a) tea (b) bread', '(a) tea (b) bread'.length],
    ['| Name | Rowan |', 'NameRowan'.length],
    ['| Name | TBD |', 0],
    ['| Name |\n|---|\n| Rowan |', 'Rowan'.length],
    ['https://example.org/rowan', 'https://example.org/rowan'.length],
    ['[Rowan](https://example.org)', '[Rowan](https://example.org)'.length],
    ['[[Rowan]]', '[[Rowan]]'.length],
    ['Not specified', 0],
    ['What does she like?', 0],
    ['Update this as you go. Rowan likes tea.', 'Rowan likes tea.'.length],
    ['---\nname: Rowan\n---\n', 0],
    ['---\nRowan likes tea\n---\n', 'Rowan likes tea'.length],
    ['```\nlikes tea\n```', 'likes tea'.length],
    ['## Example\n```\nlikes tea\n```\nlikes bread', 'likes bread'.length],
    ['## Example\n```\nlikes tea\n\nand bread', 'likes tea'.length + 'and bread'.length],
    ['Things like:\n- tea\n- drink: tea', 'drink: tea'.length],
    ['Things she likes:\n- tea\n- bread', 'tea'.length + 'bread'.length],
  ])('%j: %i', (text, size) => expect(significantChars(text)).toBe(size))

  it('ends at 100', () => {
    expect(isNearlyEmpty('x'.repeat(99))).toBe(true)
    expect(isNearlyEmpty('x'.repeat(100))).toBe(false)
  })
})

describe('any text', () => {
  const words = [
    '- ',
    '**Name:** ',
    '**Name:**',
    '# ',
    '\n',
    '\n\n',
    '  ',
    '_(',
    ')_',
    '(',
    ')',
    '_',
    '*',
    '[',
    ']',
    '{{',
    '}}',
    '```\n',
    '~~~',
  ]
  const more = [
    '<!--',
    '-->',
    '| a |',
    '|---|',
    '---\n',
    'TBD',
    'Rowan likes tea. ',
    'Update this. ',
    'e.g.:',
    '？',
    '🪴',
    '\ud83e',
    '`',
    '> ',
    ':',
    '\r',
  ]
  const soup = fc.array(fc.constantFrom(...words, ...more), { maxLength: 50 }).map((parts) => parts.join(''))
  const texts = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 300 }),
    soup,
    fc.constantFrom(...Object.values({ ...untouched, ...filled })),
  )

  it('is counted, and never for more than it holds', () => {
    fc.assert(
      fc.property(texts, (text) => {
        const count = significantChars(text)
        expect(count).toBeGreaterThanOrEqual(0)
        // A space may stand where a label and its value touched.
        expect(count).toBeLessThanOrEqual(text.length * 2)
        expect(isNearlyEmpty(text)).toBe(count < 100)
      }),
      { numRuns: 500 },
    )
  })

  it('gains nothing by an empty label or a comment', () => {
    const label = fc.stringMatching(/^[A-Za-z][A-Za-z ]{0,20}$/).map((name) => `- **${name}:**`)
    const comment = fc.stringMatching(/^[A-Za-z*`#|_() \n]{0,40}$/).map((text) => `<!-- ${text} -->`)
    fc.assert(
      fc.property(texts, fc.oneof(label, comment), (text, line) => {
        // There the comment would end one that nothing ended before.
        fc.pre(text.lastIndexOf('<!--') <= text.lastIndexOf('-->'))
        expect(significantChars(`${text}\n${line}`)).toBeLessThanOrEqual(significantChars(text))
      }),
      { numRuns: 500 },
    )
  })

  it('gains nothing by them in its middle either', () => {
    const line = fc.constantFrom(
      '- **Key:**',
      '- Key:',
      '- **键：**',
      '<!-- a note -->',
      '- **Key:** _(optional)_',
      '- **Key:** TBD',
    )
    const files = fc.constantFrom(...Object.values({ ...untouched, ...filled }))
    fc.assert(
      fc.property(files, line, fc.nat(), (text, added, where) => {
        const lines = text.split('\n')
        // Before the start of something, not amid a paragraph or a table.
        const places = lines.flatMap((one, at) =>
          /^(?:[-*#]|$)/.test(one) && !/^(?:\||\s+\S)/.test(lines[at + 1] ?? '') ? [at] : [],
        )
        const at = places[where % Math.max(places.length, 1)] ?? 0
        if (text.startsWith('---') && at < 8) return
        const grown = [...lines.slice(0, at), added, ...lines.slice(at)].join('\n')
        expect(significantChars(grown)).toBeLessThanOrEqual(significantChars(text))
      }),
    )
  })

  it('gains by a value', () => {
    const value = fc.stringMatching(/^[b-df-hj-np-tv-z]{3,8}( [b-df-hj-np-tv-z]{3,8}){0,3}$/)
    const files = fc.constantFrom(...Object.values({ ...untouched, ...filled }))
    fc.assert(
      fc.property(files, value, (text, words) => {
        expect(significantChars(`${text}\n- **Key:** ${words}`)).toBe(
          significantChars(text) + 'Key: '.length + words.length,
        )
      }),
    )
  })

  it.each(
    [
      'a',
      '\n',
      'a\n',
      '- a\n',
      '- **Name:**\n',
      'a: b\n',
      '<!--',
      '<!-- x\n',
      '<!---->',
      '```\n',
      '_(',
      '_(a_(',
      '(\n',
      '_a\n',
      '*a\n',
      '**',
      '_',
      '[',
      '{{',
      '<a',
    ]
      .concat([
        '|',
        '| a |\n',
        '|-|\n',
        ' - **a:**',
        '：',
        '「',
        '* * *\n',
        'a. ',
        'a? ',
        '。',
        '  ',
        '在',
        'ここに',
        'write ',
        '\u0301\u0323',
        '\ud800',
        '=\n',
      ])
      .map((piece) => [piece]),
  )(
    'a megabyte of %j runs to the end',
    (piece) => {
      const flood = piece.repeat(Math.ceil(1_000_000 / piece.length))
      expect(significantChars(flood)).toBeLessThanOrEqual(flood.length)
      isNearlyEmpty(`- **Name:** ${flood}`)
    },
    30_000,
  )
})
