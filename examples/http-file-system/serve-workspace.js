import { once } from 'node:events'
import { createServer } from 'node:http'
import { json } from 'node:stream/consumers'

/**
 * @import { FileSystem } from 'soulprompt'
 */

/**
 * Serves a workspace on a free port of this machine alone.
 *
 * - `POST /read` `{ files: [{ path, version? }] }`: the readings, in order. A file that still has the version given is
 *   `{ path, state: 'unchanged' }`, without its text, as an HTTP server says `304` to an `ETag` that it knows.
 * - `POST /list` `{ directory }`: the names in it.
 *
 * @param {FileSystem} files
 * @param {(endpoint: string, texts: number) => void} [onRequest] Is told each request and how many texts were sent.
 */
export async function serveWorkspace(files, onRequest) {
  const server = createServer(async (request, response) => {
    try {
      const { files: asked, directory } = /** @type {any} */ (await json(request))
      const answer = request.url === '/read' ? await read(files, asked) : await files.list?.(directory)
      onRequest?.(request.url ?? '', answer?.filter(isPresent).length ?? 0)
      response.setHeader('content-type', 'application/json').end(JSON.stringify(answer))
    } catch {
      response.writeHead(500).end()
    }
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = /** @type {import('node:net').AddressInfo} */ (server.address())
  return {
    url: `http://127.0.0.1:${port}`,
    async close() {
      server.close()
      server.closeAllConnections()
      await once(server, 'close')
    },
  }
}

/**
 * @param {FileSystem} files
 * @param {readonly { path: string, version?: string }[]} asked
 */
async function read(files, asked) {
  const readings = await files.read(asked.map(({ path }) => path))
  return readings.map((reading, index) =>
    reading.state === 'present' && reading.version === asked[index]?.version
      ? { path: reading.path, state: 'unchanged' }
      : reading,
  )
}

/** @param {string | { state: string }} answer */
function isPresent(answer) {
  return typeof answer === 'object' && answer.state === 'present'
}
