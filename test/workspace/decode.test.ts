import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { countUnits } from '../../src/workspace/count-units.js'
import {
  decodeEnds,
  decodeText,
  END_BYTES,
  END_UNITS,
  encodingOf,
  endsOf,
  incompleteTail,
  WHOLE_UNITS,
} from '../../src/workspace/decode.js'

const utf8 = (text: string) => new TextEncoder().encode(text)
const utf16 = (text: string, littleEndian: boolean) => {
  const view = new DataView(new ArrayBuffer(text.length * 2))
  for (let at = 0; at < text.length; at++) view.setUint16(2 * at, text.charCodeAt(at), littleEndian)
  return new Uint8Array(view.buffer)
}

describe('decodeText', () => {
  test('decodes UTF-8 and keeps a byte order mark', () => {
    expect(decodeText(utf8('\ufeff你好 😀'))).toEqual({ text: '\ufeff你好 😀', lossy: false })
    expect(decodeText(utf8('a\ufeffb'))).toEqual({ text: 'a\ufeffb', lossy: false })
    expect(decodeText(new Uint8Array())).toEqual({ text: '', lossy: false })
  })

  test('decodes UTF-16 by its byte order mark and keeps it', () => {
    for (const littleEndian of [true, false]) {
      expect(decodeText(utf16('\ufeff你好 😀\r\n', littleEndian))).toEqual({ text: '\ufeff你好 😀\r\n', lossy: false })
      expect(decodeText(utf16('\ufeff\ud83d!', littleEndian))).toEqual({ text: '\ufeff\ufffd!', lossy: true })
      const odd = decodeText(Uint8Array.of(...utf16('\ufeffa', littleEndian), 0x62))
      expect(odd).toEqual({ text: '\ufeffa\ufffd', lossy: true })
    }
  })

  test('replaces what is no UTF-8, says so, and is itself again afterwards', () => {
    const gbk = Uint8Array.of(0xc4, 0xe3, 0xba, 0xc3, 0x21)
    expect(decodeText(gbk)).toEqual({ text: '\ufffd\ufffd\ufffd!', lossy: true })
    expect(decodeText(utf8('中').subarray(0, 2))).toEqual({ text: '\ufffd', lossy: true })
    expect(decodeText(utf8('\ufffd'))).toEqual({ text: '\ufffd', lossy: false })
    expect(decodeText(utf8('fine'))).toEqual({ text: 'fine', lossy: false })
  })

  test('gives back every text, and never throws on any bytes', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        expect(decodeText(utf8(text))).toEqual({ text, lossy: false })
      }),
    )
    fc.assert(fc.property(fc.uint8Array(), (bytes) => typeof decodeText(bytes).text === 'string'))
  })

  test('leaves the bytes alone', () => {
    const bytes = utf16('\ufeffab', false)
    for (const view of [bytes, Buffer.from(bytes.buffer)]) {
      expect(decodeText(view).text).toBe('\ufeffab')
      expect(bytes).toEqual(utf16('\ufeffab', false))
    }
  })
})

test('encodingOf goes by the first two bytes', () => {
  expect(encodingOf(Uint8Array.of(0xff, 0xfe))).toBe('utf-16le')
  expect(encodingOf(Uint8Array.of(0xfe, 0xff))).toBe('utf-16be')
  expect(encodingOf(Uint8Array.of(0xef, 0xbb, 0xbf))).toBe('utf-8')
  expect(encodingOf(new Uint8Array())).toBe('utf-8')
})

describe('countUnits', () => {
  test('is the length of every text, at every alignment', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 2_000 }), fc.nat(7), (text, shift) => {
        const bytes = utf8(text)
        const buffer = new Uint8Array(bytes.length + shift)
        buffer.set(bytes, shift)
        expect(countUnits(buffer.subarray(shift))).toBe(text.length)
      }),
    )
  })

  test('adds up over pieces, and does not overflow', () => {
    for (const sign of ['a', 'é', '中', '😀']) {
      const text = sign.repeat(10_000)
      const bytes = utf8(text)
      expect(countUnits(bytes)).toBe(text.length)
      let sum = 0
      for (let at = 0; at < bytes.length; at += 997) sum += countUnits(bytes.subarray(at, at + 997))
      expect(sum).toBe(text.length)
    }
  })
})

test('incompleteTail finds the beginning of a character that is cut off', () => {
  for (const sign of ['a', 'é', '中', '😀']) {
    const bytes = utf8(`x${sign}`)
    for (let cut = 2; cut <= bytes.length; cut++) {
      const kept = bytes.subarray(0, cut)
      expect(incompleteTail(kept)).toBe(cut === bytes.length ? 0 : cut - 1)
    }
  }
  expect(incompleteTail(Uint8Array.of(0x80, 0x80, 0x80, 0x80))).toBe(0)
  expect(incompleteTail(new Uint8Array())).toBe(0)
})

/** The ends of a file, as read from windows at its two ends. */
const endsOfBytes = (bytes: Uint8Array) =>
  decodeEnds(bytes.subarray(0, END_BYTES), bytes.subarray(-END_BYTES), bytes.length - END_BYTES)

const expectEnds = (text: string, ends: { text: string; at: number }) => {
  const [head, tail] = [ends.text.slice(0, ends.at), ends.text.slice(ends.at)]
  for (const end of [head, tail]) expect(END_UNITS - end.length).toBeOneOf([0, 1])
  expect(ends.text.isWellFormed()).toBe(true)
  expect(text.startsWith(head)).toBe(true)
  expect(text.endsWith(tail)).toBe(true)
}

describe('the two ends of a long text', () => {
  const texts = ['a', 'é', '中', '😀', 'a中😀é\n'].flatMap((unit) =>
    ['', 'x', 'xy', 'xyz'].map((start) => start + unit.repeat(Math.ceil((WHOLE_UNITS + 10) / unit.length))),
  )

  test('are cut on character boundaries, in memory as from bytes', () => {
    for (const text of texts) {
      expectEnds(text, endsOf(text))
      const ends = endsOfBytes(utf8(text))
      expectEnds(text, ends)
      expect(ends.lossy).toBe(false)
      expect(endsOf(text)).toEqual({ text: ends.text, at: ends.at })
    }
  })

  test('are found in UTF-16 as well', () => {
    for (const littleEndian of [true, false]) {
      for (const start of ['\ufeff', '\ufeffx']) {
        const text = start + '😀'.repeat(WHOLE_UNITS / 2)
        const ends = endsOfBytes(utf16(text, littleEndian))
        expectEnds(text, { ...ends, text: ends.text })
        expect(ends.lossy).toBe(false)
        expect(ends.unitsPerByte).toBeCloseTo(0.5)
      }
    }
  })

  test('of what is no text are bounded all the same', () => {
    const fills = [[0x80], [0xff], [0xc4, 0xe3], [0xf0], [0xe4, 0xbd], [0xf0, 0x9f]]
    for (const fill of fills) {
      const bytes = new Uint8Array(4 * 2 ** 20).map((_, at) => fill[at % fill.length] ?? 0)
      const ends = endsOfBytes(bytes)
      expect(ends.lossy).toBe(true)
      expect(ends.at).toBeLessThanOrEqual(END_UNITS)
      expect(ends.text.length - ends.at).toBeLessThanOrEqual(END_UNITS)
      expect(ends.text.length).toBeGreaterThan(END_UNITS)
    }
  })

  test('estimate the whole', () => {
    for (const [unit, perByte] of [
      ['a', 1],
      ['中', 1 / 3],
      ['😀', 1 / 2],
    ] as const) {
      expect(endsOfBytes(utf8(unit.repeat(WHOLE_UNITS))).unitsPerByte).toBeCloseTo(perByte, 4)
    }
  })
})
