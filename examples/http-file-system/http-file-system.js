/**
 * @import { FileReading, FileSnapshot, FileSystem } from 'soulprompt'
 */

/**
 * A workspace behind an HTTP server (see serve-workspace.js), for reading: one request a turn, two with `listing`. The
 * server is told which version of each file is known here and sends only the texts of others, so an unchanged file is
 * the very same snapshot object and the turn after it costs next to nothing.
 *
 * A server that cannot be reached or answers with an error rejects: the build reports it once for all files. An answer
 * that lacks a file makes that one file unreadable; it does not make it missing.
 *
 * @param {string} url
 * @param {{ name?: string, listing?: boolean }} [options] `name`: for messages. Default: the URL. `listing`: find daily
 * notes by listing their folder, and not by their plain names alone. Default `false`.
 * @returns {FileSystem}
 */
export function httpFileSystem(url, { name = url, listing = false } = {}) {
  /** @type {Map<string, FileSnapshot>} */
  const known = new Map()

  return {
    name,

    async read(paths, options) {
      // As they were when the question was asked: another read may learn of newer ones meanwhile.
      const sent = paths.map((path) => known.get(path))
      const files = paths.map((path, index) => ({ path, version: sent[index]?.version }))
      const readings = await post(url, 'read', { files }, options)
      if (!Array.isArray(readings)) throw new Error(`${name} answered with no list of readings`)
      return paths.map((path, index) => {
        const reading = accepted(path, readings[index], sent[index])
        if (reading.state === 'present') known.set(path, reading)
        else known.delete(path)
        return reading
      })
    },

    ...(listing && { list: async (directory, options) => post(url, 'list', { directory }, options) }),
  }
}

/**
 * @param {string} path
 * @param {any} answer
 * @param {FileSnapshot | undefined} sent
 * @returns {FileReading}
 */
function accepted(path, answer, sent) {
  if (answer?.path === path) {
    if (answer.state === 'unchanged' && sent !== undefined) return sent
    if (['present', 'missing', 'unreadable'].includes(answer.state)) return Object.freeze(answer)
  }
  return { state: 'unreadable', path, reason: 'io', detail: 'the server did not answer for it' }
}

/**
 * @param {string} url
 * @param {string} endpoint
 * @param {unknown} question
 * @param {{ readonly signal?: AbortSignal } | undefined} options
 * @returns {Promise<any>}
 */
async function post(url, endpoint, question, options) {
  const response = await fetch(new URL(endpoint, url), {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(question),
    signal: options?.signal ?? null,
  })
  if (!response.ok) throw new Error(`${endpoint}: the server answered ${response.status}`)
  return response.json()
}
