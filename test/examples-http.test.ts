import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type FileSystem, memoryFileSystem } from 'soulprompt'
import { fileSystemSuite } from 'soulprompt/testing'
import { describe, expect, it, onTestFinished, test } from 'vitest'
import { httpFileSystem } from '../examples/http-file-system/http-file-system.js'
import { serveWorkspace } from '../examples/http-file-system/serve-workspace.js'

/** It reads and lists; the cases about writing are not about it. */
describe('examples/http-file-system keeps the contract', () => {
  const suite = fileSystemSuite(async (texts) => {
    const workspace = memoryFileSystem(texts)
    const server = await serveWorkspace(workspace)
    return {
      files: httpFileSystem(server.url, { listing: true }),
      put: async (path, text) => void (await workspace.write(path, text)),
      drop: (path) => workspace.remove(path),
      dispose: () => server.close(),
    }
  })
  for (const { name, run } of suite) test(name, run)
})

/** A file system over a server that answers as it is told. */
async function over(listener: RequestListener): Promise<FileSystem> {
  const server = createServer(listener).listen(0, '127.0.0.1')
  onTestFinished(() => {
    server.close()
    server.closeAllConnections()
  })
  await once(server, 'listening')
  return httpFileSystem(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, { name: 'far' })
}

describe('examples/http-file-system', () => {
  it('sends no text again that is known, and gives the very same snapshot for it', async () => {
    const workspace = memoryFileSystem({ 'a.md': 'A', 'b.md': 'B' })
    const sent: number[] = []
    const server = await serveWorkspace(workspace, (_, texts) => sent.push(texts))
    onTestFinished(() => server.close())
    const files = httpFileSystem(server.url)
    const before = await files.read(['a.md', 'b.md', 'c.md'])
    await workspace.write('b.md', 'changed')
    const after = await files.read(['a.md', 'b.md', 'c.md'])
    expect(sent).toEqual([2, 1])
    expect(after[0]).toBe(before[0])
    expect(after[1]).toMatchObject({ text: 'changed' })
    await workspace.remove('a.md')
    expect(await files.read(['a.md'])).toEqual([{ state: 'missing', path: 'a.md' }])
    await workspace.write('a.md', 'A')
    expect(await files.read(['a.md'])).toMatchObject([{ text: 'A' }])
  })

  it.each([
    ['an error', 500, '[]', 'read: the server answered 500'],
    ['no JSON', 200, '<html>', 'JSON'],
    ['no list', 200, '{}', 'far answered with no list of readings'],
  ])('rejects where the server answers with %s', async (_, status, body, message) => {
    const files = await over((_, response) => response.writeHead(status).end(body))
    await expect(files.read(['a.md'])).rejects.toThrow(message)
  })

  it('takes a file without an answer for unreadable, and never for missing', async () => {
    const unchanged = { path: 'd.md', state: 'unchanged' }
    const answers = [null, { path: 'other.md', state: 'missing' }, { path: 'c.md', state: 'odd' }, unchanged]
    const files = await over((_, response) => response.end(JSON.stringify(answers)))
    const readings = await files.read(['a.md', 'b.md', 'c.md', 'd.md', 'e.md'])
    expect(readings.map(({ state }) => state)).toEqual(Array(5).fill('unreadable'))
  })

  it('gives up its request when the signal aborts', async () => {
    const controller = new AbortController()
    let closed: Promise<unknown> | undefined
    const files = await over((request) => {
      closed = once(request.socket, 'close')
      controller.abort(new Error('enough'))
    })
    await expect(files.read(['a.md'], controller)).rejects.toThrow('enough')
    await closed
  })
})
