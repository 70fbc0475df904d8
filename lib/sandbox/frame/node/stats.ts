import { fs as zenfs } from './zenfs'

/* `fs.Stats` with Node's fields, created from those of ZenFS, which has additional ones. */

interface Facts {
  readonly ino: number
  readonly mode: number
  readonly size: number
  readonly atimeMs: number
  readonly mtimeMs: number
  readonly ctimeMs: number
  readonly birthtimeMs: number
}

const kindBits = 0o170_000
const blockSize = 4_096
const { S_IFDIR, S_IFREG } = zenfs.constants

class StatsBase<Of extends number | bigint> {
  readonly dev: Of
  readonly mode: Of
  readonly nlink: Of
  readonly uid: Of
  readonly gid: Of
  readonly rdev: Of
  readonly blksize: Of
  readonly ino: Of
  readonly size: Of
  readonly blocks: Of
  readonly atimeMs: Of
  readonly mtimeMs: Of
  readonly ctimeMs: Of
  readonly birthtimeMs: Of

  constructor({ ino, mode, size, atimeMs, mtimeMs, ctimeMs, birthtimeMs }: Facts, as: (value: number) => Of) {
    this.dev = as(1)
    this.mode = as(mode)
    this.nlink = as(1)
    this.uid = as(0)
    this.gid = as(0)
    this.rdev = as(0)
    this.blksize = as(blockSize)
    this.ino = as(ino)
    this.size = as(size)
    this.blocks = as(Math.ceil(size / blockSize) * (blockSize / 512))
    this.atimeMs = as(atimeMs)
    this.mtimeMs = as(mtimeMs)
    this.ctimeMs = as(ctimeMs)
    this.birthtimeMs = as(birthtimeMs)
  }
  get atime() {
    return new Date(Number(this.atimeMs))
  }
  get mtime() {
    return new Date(Number(this.mtimeMs))
  }
  get ctime() {
    return new Date(Number(this.ctimeMs))
  }
  get birthtime() {
    return new Date(Number(this.birthtimeMs))
  }
  isFile() {
    return (Number(this.mode) & kindBits) === S_IFREG
  }
  isDirectory() {
    return (Number(this.mode) & kindBits) === S_IFDIR
  }
  isSymbolicLink() {
    return false
  }
  isFIFO() {
    return false
  }
  isSocket() {
    return false
  }
  isBlockDevice() {
    return false
  }
  isCharacterDevice() {
    return false
  }
}

export class Stats extends StatsBase<number> {}

class BigIntStats extends StatsBase<bigint> {
  get atimeNs() {
    return this.atimeMs * 1_000_000n
  }
  get mtimeNs() {
    return this.mtimeMs * 1_000_000n
  }
  get ctimeNs() {
    return this.ctimeMs * 1_000_000n
  }
  get birthtimeNs() {
    return this.birthtimeMs * 1_000_000n
  }
}

export const statsOf = (facts: Facts, bigint: boolean): Stats | BigIntStats =>
  bigint ? new BigIntStats(facts, (value) => BigInt(Math.round(value))) : new Stats(facts, (value) => value)
