import { describe, expect, it } from 'vitest'
import { fill, textsByLocale } from '../../src/texts/index.js'

const { en, 'zh-CN': zh } = textsByLocale
const placeholders = (text: string) => [...text.matchAll(/\{(\w+)\}/g)].map((match) => match[1]).sort()

describe('texts', () => {
  it('has the same keys in every locale, and the same placeholders behind each', () => {
    expect(Object.keys(zh).sort()).toEqual(Object.keys(en).sort())
    for (const key of Object.keys(en) as (keyof typeof en)[]) {
      expect([key, placeholders(zh[key])]).toEqual([key, placeholders(en[key])])
      // Sentences stand alone; what stands between two of them brings its own space.
      if (key !== 'sectionSeparator') expect(en[key].trim()).toBe(en[key])
      expect(zh[key]).not.toBe('')
    }
  })

  it('says in Chinese what the layouts were drawn with', () => {
    expect(zh).toMatchObject({
      headingPersona: '# 人格',
      headingUser: '# 用户信息',
      headingMemory: '# 记忆',
      headingTools: '# 工具',
      headingRules: '# 对话规则',
      empty: '（空）',
      soulPresent: '请根据上述人格定义来塑造你的性格和语气。',
      userRich: '你已经了解了主人的一些信息（见上方）。继续在对话中学习。',
      toolsIntro: '你可以使用以下工具：',
      truncated: '[...内容被截断...]',
    })
    const at = (text: string) => fill(text, { file: 'X.md', tool: 'edit', head: '1', tail: '2', total: '3' })
    expect(at(zh.soulAbsent)).toBe('你还没有人格定义。在第一次对话时，和主人一起创建 X.md。')
    expect(at(zh.userSparse)).toBe('你对主人还不太了解。在对话中自然地了解他们，并更新 X.md。')
    expect(at(zh.userUpdateWithTool)).toBe('在对话中获知新的用户信息时，使用 edit 工具更新 X.md。')
    expect(at(zh.memoryAbsent)).toBe('你还没有长期记忆。当有值得记住的事时，创建 X.md。')
    expect(at(zh.memoryUpdateWithTool)).toBe('遇到值得记住的信息时，使用 edit 工具更新 X.md。定期整理，保持精炼。')
    expect(at(zh.memoryNearLimit)).toBe('你的记忆快满了。请在本次对话中整理 X.md，移除过时内容。')
    expect(at(zh.truncatedSizes)).toBe('（截断：保留了 1+2 字符，共 3 字符）')
    expect(zh.weekdays.split(',')).toHaveLength(7)
    expect(en.weekdays.split(',')).toHaveLength(7)
  })

  it('names a tool only in the texts that are for one', () => {
    for (const texts of [en, zh]) {
      const naming = (Object.keys(texts) as (keyof typeof en)[]).filter((key) =>
        /\{tool\}|\btools?\b|工具/.test(texts[key]),
      )
      expect(naming.sort()).toEqual(
        [
          ...(texts === zh ? ['headingTools'] : []),
          'headingToolNotes',
          'memoryUpdateWithTool',
          'safety',
          'sectionsLeftOutWithTool',
          'toolsIntro',
          'truncatedWithTool',
          'userUpdateWithTool',
        ].sort(),
      )
    }
  })
})

describe('fill', () => {
  it('puts values in literally, in one pass', () => {
    expect(fill('{a} and {b}', { a: '{b}', b: '$& $1' })).toBe('{b} and $& $1')
    expect(fill('{unknown} {toString} {__proto__}', {})).toBe('{unknown} {toString} {__proto__}')
  })
})
