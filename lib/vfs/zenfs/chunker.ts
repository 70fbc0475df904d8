/*
 * Cuts a file where its own bytes say so, so that an insertion moves only the cuts near it (FastCDC: W. Xia et al.,
 * USENIX ATC 2016, with two masks around the wanted size). The gear table is made from a fixed seed: the cuts of equal
 * bytes are equal in every browser, for ever. Not done: rolling over several files, or blocks below `minBytes`.
 */
export const minBytes = 16_384
export const wantedBytes = 65_536
export const maxBytes = 262_144

/** 256 random words of 32 bits (mulberry32). */
const gear = Uint32Array.from({ length: 256 }, (_, at) => {
  let word = Math.imul(at + 1, 0x6d2b79f5)
  word = Math.imul(word ^ (word >>> 15), word | 1)
  word ^= word + Math.imul(word ^ (word >>> 7), word | 61)
  return (word ^ (word >>> 14)) >>> 0
})

// The high bits have seen the last 32 bytes. Two more or fewer than 16 bits: cuts gather around the wanted size.
const hardMask = 0xffffc000 | 0
const easyMask = 0xfffc0000 | 0

function cutAfter(data: Uint8Array, start: number): number {
  const end = Math.min(start + maxBytes, data.length)
  if (end - start <= minBytes) return end
  const wanted = Math.min(start + wantedBytes, end)
  let sum = 0
  let at = start + minBytes
  for (; at < wanted; at++) {
    sum = ((sum << 1) + (gear[data[at] as number] as number)) | 0
    if ((sum & hardMask) === 0) return at + 1
  }
  for (; at < end; at++) {
    sum = ((sum << 1) + (gear[data[at] as number] as number)) | 0
    if ((sum & easyMask) === 0) return at + 1
  }
  return end
}

/** The blocks of a file, as views of its bytes, in order. A file of up to `wantedBytes` is one block, also an empty one. */
export function cutBlocks(data: Uint8Array): readonly Uint8Array[] {
  if (data.length <= wantedBytes) return [data]
  const blocks: Uint8Array[] = []
  for (let start = 0; start < data.length;) {
    const end = cutAfter(data, start)
    blocks.push(data.subarray(start, end))
    start = end
  }
  return blocks
}
