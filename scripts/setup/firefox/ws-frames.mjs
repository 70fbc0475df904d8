/* The part of RFC 6455 that a proxy needs: where a frame ends, its content, and how to write a server's frame. */

/**
 * Splits a byte stream into whole frames. `onFrame` gets `{ bytes, opcode, isLast, payload }`: the original frame, and
 * its unmasked content.
 * @param {(frame: { bytes: Buffer, opcode: number, isLast: boolean, payload: Buffer }) => void} onFrame
 * @returns {(chunk: Buffer) => void}
 */
export function readFrames(onFrame) {
  let kept = Buffer.alloc(0)
  return (chunk) => {
    kept = kept.length === 0 ? chunk : Buffer.concat([kept, chunk])
    for (let size = sizeOf(kept); size !== null && kept.length >= size.whole; size = sizeOf(kept)) {
      const bytes = kept.subarray(0, size.whole)
      kept = kept.subarray(size.whole)
      const mask = size.isMasked ? bytes.subarray(size.head - 4, size.head) : null
      const payload = Buffer.from(bytes.subarray(size.head))
      if (mask !== null) for (let at = 0; at < payload.length; at++) payload[at] ^= mask[at % 4]
      onFrame({ bytes, opcode: bytes[0] & 0x0f, isLast: (bytes[0] & 0x80) !== 0, payload })
    }
  }
}

/** `null` while the header itself is incomplete. */
function sizeOf(bytes) {
  if (bytes.length < 2) return null
  const short = bytes[1] & 0x7f
  const isMasked = (bytes[1] & 0x80) !== 0
  const lengthBytes = { 126: 2, 127: 8 }[short] ?? 0
  const head = 2 + lengthBytes + (isMasked ? 4 : 0)
  if (bytes.length < head) return null
  const length =
    lengthBytes === 0 ? short : lengthBytes === 2 ? bytes.readUInt16BE(2) : Number(bytes.readBigUInt64BE(2))
  return { head, whole: head + length, isMasked }
}

/**
 * A text as one frame. Client frames are masked; Firefox refuses a mask of zeros.
 * @param {string} text
 * @param {{ isMasked?: boolean }} [options]
 * @returns {Buffer}
 */
export function textFrame(text, { isMasked = false } = {}) {
  const payload = Buffer.from(text)
  const { length } = payload
  const lengthBytes = Buffer.alloc(length < 126 ? 0 : length < 65_536 ? 2 : 8)
  if (lengthBytes.length === 2) lengthBytes.writeUInt16BE(length)
  if (lengthBytes.length === 8) lengthBytes.writeBigUInt64BE(BigInt(length))
  const short = { 0: length, 2: 126, 8: 127 }[lengthBytes.length]
  const head = Buffer.from([0x81, short | (isMasked ? 0x80 : 0)])
  return Buffer.concat([
    head,
    lengthBytes,
    Buffer.alloc(isMasked ? 4 : 0, 1),
    isMasked ? payload.map((byte) => byte ^ 1) : payload,
  ])
}
