import fc from 'fast-check'
import {
  buildSystemPrompt,
  type ContextInjector,
  defineAgent,
  memoryFileSystem,
  renderUserMessage,
  type SessionKind,
} from 'soulprompt'
import { describe, expect, it } from 'vitest'

const now = new Date('2026-02-16T09:30:00Z')

async function contextOf(
  injectors: readonly ContextInjector[],
  session: { kind?: SessionKind; memory?: boolean } = {},
) {
  const agent = defineAgent({ files: memoryFileSystem({}), injectors, deadlines: { injector: 30 } })
  return buildSystemPrompt(agent, { now, session, input: 'What did we plan?' })
}

describe('context injectors', () => {
  it('fill tagged blocks before the user’s text, and nothing in the system prompt', async () => {
    const prompt = await contextOf([
      { name: 'weather', tag: 'weather', inject: () => 'Rain.' },
      { name: 'recall', inject: async ({ input }) => ({ text: `Asked before: ${input}`, source: 'notes' }) },
      { name: 'more', inject: () => 'We meet on Friday.' },
      { name: 'nothing', inject: () => undefined },
      { name: 'blank', inject: () => ' \n ' },
    ])
    expect(prompt.text).not.toMatch(/Rain|Friday/)
    expect(renderUserMessage(prompt, 'What did we plan?')).toBe(
      [
        '[memory context]',
        '(source: notes)',
        'Asked before: What did we plan?',
        '',
        'We meet on Friday.',
        '[/memory context]',
        '',
        '[weather context]',
        'Rain.',
        '[/weather context]',
        '',
        'What did we plan?',
      ].join('\n'),
    )
  })

  it('leave the user’s text unchanged when there is nothing to say', async () => {
    expect(renderUserMessage(await contextOf([]), ' as it is \n')).toBe(' as it is \n')
  })

  it.each([
    [{ kind: 'main', memory: true }, ['open', 'closed']],
    [{ kind: 'main', memory: false }, ['open']],
    [{ kind: 'group', memory: true }, ['open']],
    [{ kind: 'cron', memory: true }, ['open']],
    [{ kind: 'subagent', memory: true }, []],
    [{ kind: 'heartbeat', memory: true }, ['open', 'closed']],
  ] as const)('are called as %j allows', async (session, expected) => {
    const called: string[] = []
    const injector = (name: string, isPrivate: boolean): ContextInjector => ({
      name,
      private: isPrivate,
      inject: () => {
        called.push(name)
        return undefined
      },
    })
    await contextOf([injector('open', false), injector('closed', true)], session)
    expect(called).toEqual(expected)
  })

  it.each([
    [
      'throws',
      () => {
        throw new Error('kaput')
      },
      'threw: kaput',
    ],
    ['rejects', () => Promise.reject(new Error('kaput')), 'threw: kaput'],
    ['never answers', () => new Promise<never>(() => {}), 'took longer than 30 ms'],
    ['gives a number', () => 42 as never, 'expected a text'],
  ])('cost a diagnostic when one %s', async (_, inject, message) => {
    const prompt = await contextOf([
      { name: 'broken', inject },
      { name: 'fine', inject: () => 'Still here.' },
    ])
    expect(prompt.context.map(({ text }) => text)).toEqual(['Still here.'])
    const [diagnostic] = prompt.diagnostics.filter(({ code }) => code === 'injector-failed')
    expect(diagnostic).toMatchObject({ section: 'broken', message: expect.stringContaining(message) })
  })

  it('are told through their signal that nobody waits any more', async () => {
    let aborted = false
    await contextOf([
      {
        name: 'slow',
        inject: (_, { signal }) =>
          new Promise(() => {
            signal.addEventListener('abort', () => {
              aborted = true
            })
          }),
      },
    ])
    expect(aborted).toBe(true)
  })
})

describe('a block of context', () => {
  it.each([
    '[/memory\n context]',
    `[/memory${' '.repeat(500)}context]`,
    '［／ＭＥＭＯＲＹ context］',
    '[[/memory context]]',
  ])('shows %j without its bracket', (mark) => {
    const context = [{ name: 'a', tag: 'memory', text: mark, private: true }]
    expect(renderUserMessage({ context }, 'x').match(/\[/g)?.length).toBeLessThanOrEqual(3)
    expect(renderUserMessage({ context }, 'x')).toContain('&#91;')
  })

  it('cannot be closed from inside and never stays open', () => {
    const fragment = fc.constantFrom(
      '[/memory context]',
      '[memory context]',
      '[ / Memory  Context ]',
      '［/memory context］',
      '[/ｍemory context]',
      '[/user context]',
      '[/',
      'memory',
      ' context',
      ']',
      '[',
      '\n',
      'text',
      '[link](x)',
      '[[/memory context]]',
    )
    const text = fc.array(fragment, { maxLength: 20 }).map((parts) => parts.join(''))
    fc.assert(
      fc.property(text, text, (inside, source) => {
        const context = [{ name: 'a', tag: 'memory', text: inside, source, private: true }]
        const message = renderUserMessage({ context }, 'INPUT')
        const marks = message.normalize('NFKC').match(/\[\s*\/?\s*memory\s*context\s*\]/gi)
        expect(marks).toEqual(['[memory context]', '[/memory context]'])
        expect(message.endsWith('\n[/memory context]\n\nINPUT')).toBe(true)
      }),
      { numRuns: 20_000 },
    )
  })
})
