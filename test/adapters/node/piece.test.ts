import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { charactersIn, measure } from '../../../src/adapters/node/piece.js'

/** Bytes in which characters of every width begin, end, break off and are forged. */
const rough = fc
  .array(
    fc.oneof(
      fc.string({ unit: 'binary', maxLength: 6 }).map((text) => [...Buffer.from(text)]),
      fc.constantFrom([0xe0, 0x80], [0xed, 0xa0, 0x80], [0xf0, 0x80, 0x80], [0xf4, 0x90], [0xf5], [0xc0, 0xaf], [0]),
      fc.constantFrom([0xe4], [0xe4, 0xb8], [0xf0, 0x9f], [0xf0, 0x9f, 0x98], [0xc3], [0x80], [0xff]),
      fc.array(fc.integer({ min: 0x70, max: 0xff }), { maxLength: 8 }),
    ),
    { maxLength: 40 },
  )
  .map((parts) => Uint8Array.from(parts.flat()))

const decoded = (bytes: Uint8Array) => new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes)

function isValid(bytes: Uint8Array): boolean {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes)
    return true
  } catch {
    return false
  }
}

describe('measure', () => {
  test('counts what the bytes decode to, bad ones included', () => {
    fc.assert(
      fc.property(rough, (bytes) => {
        expect(measure(bytes)).toEqual({ units: decoded(bytes).length, valid: isValid(bytes) })
      }),
      { numRuns: 2_000 },
    )
    const gbk = Buffer.from([0xc4, 0xe3, 0xba, 0xc3, 0x21])
    expect(measure(gbk)).toEqual({ units: 4, valid: false })
    expect(measure(Buffer.from('caf\u00e9', 'latin1'))).toEqual({ units: 4, valid: false })
    expect(measure(Buffer.from('a\0b'))).toEqual({ units: 3, valid: true })
  })

  test('adds up over pieces, wherever these are cut', () => {
    fc.assert(
      fc.property(rough, fc.integer({ min: 4, max: 9 }), (bytes, size) => {
        let units = 0
        let valid = true
        for (let at = 0, ended = false; !ended; ) {
          const read = bytes.subarray(at, at + size)
          ended = read.length < size
          const piece = charactersIn(read, ended)
          const measured = measure(piece)
          units += measured.units
          valid &&= measured.valid
          at += piece.length
        }
        expect({ units, valid }).toEqual({ units: decoded(bytes).length, valid: isValid(bytes) })
      }),
      { numRuns: 2_000 },
    )
  })
})
