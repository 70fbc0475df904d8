import { inlineBytes, type BlockRef } from './records'
import type { Undo } from './tree'

/** Who refers to a content: the files as they are, or the log of changes. */
type Holder = 'files' | 'log'

interface Counted {
  files: number
  log: number
  /** As of the last commit. */
  wasHeld: boolean
  /** In a commit that is not folded yet. */
  inCommit: boolean
  /** In its own object store. */
  inStore: boolean
}

interface KnownContent extends Counted {
  readonly blocks: readonly BlockRef[]
}

interface KnownBlock extends Counted {
  readonly size: number
}

const uncounted = (): Counted => ({ files: 0, log: 0, wasHeld: false, inCommit: false, inStore: false })
const isHeld = ({ files, log }: Counted) => files > 0 || log > 0
const onlyByLog = ({ files, log }: Counted) => files === 0 && log > 0

/** Who holds which contents and blocks, counted as it changes. `onUndo` hears how to take each change back. */
export function createLedger(onUndo: (undo: Undo) => void) {
  const contents = new Map<string, KnownContent>()
  const blocks = new Map<string, KnownBlock>()
  /** What the next commit may have to write or remove. */
  const touchedContents = new Set<string>()
  const touchedBlocks = new Set<string>()
  let logBytes = 0
  /** Bytes in the store that nobody holds since the last fold. */
  let dead = 0

  function shiftBlock({ key, size }: BlockRef, holder: Holder, by: 1 | -1): void {
    let block = blocks.get(key)
    if (block === undefined) {
      block = { size, ...uncounted() }
      blocks.set(key, block)
    }
    const before = onlyByLog(block)
    block[holder] += by
    if (onlyByLog(block) !== before) logBytes += before ? -size : size
    touchedBlocks.add(key)
  }

  function shift(version: string, holder: Holder, by: 1 | -1): void {
    const content = contents.get(version)
    if (content === undefined) throw new Error(`the content ${version} is not known`)
    const before = content[holder]
    content[holder] += by
    touchedContents.add(version)
    // A block counts once for each content that its holder has.
    if ((by === 1 && before === 0) || (by === -1 && before === 1)) {
      for (const block of content.blocks) shiftBlock(block, holder, by)
    }
  }

  const touched = <One extends Counted>(map: ReadonlyMap<string, One>, keys: Iterable<string>) =>
    [...keys].flatMap((key) => {
      const one = map.get(key)
      return one === undefined ? [] : [{ key, one }]
    })

  function settleAll(map: Map<string, Counted>, keys: Set<string>, isOwn: (one: Counted) => boolean): void {
    for (const { key, one } of touched(map, keys)) {
      const held = isHeld(one)
      if (held && !one.wasHeld) {
        if (isOwn(one)) one.inStore = true
        else one.inCommit = true
      } else if (!held) {
        one.inCommit = false
        if (isOwn(one)) one.inStore = false
        if (!one.inStore) map.delete(key)
      }
      one.wasHeld = held
    }
    keys.clear()
  }

  const isLarge = (block: Counted) => (block as KnownBlock).size > inlineBytes

  return {
    /** Makes a content known; it needs a holder before the next commit. */
    know(version: string, refs: readonly BlockRef[]): void {
      if (!contents.has(version)) contents.set(version, { blocks: refs, ...uncounted() })
    },
    knows: (version: string) => contents.has(version),
    hold(version: string, holder: Holder): void {
      shift(version, holder, 1)
      onUndo(() => shift(version, holder, -1))
    },
    release(version: string, holder: Holder): void {
      shift(version, holder, -1)
      onUndo(() => shift(version, holder, 1))
    },
    blocksOf: (version: string): readonly BlockRef[] => contents.get(version)?.blocks ?? [],
    isInCommit: (key: string): boolean => blocks.get(key)?.inCommit === true,
    get logBytes() {
      return logBytes
    },
    /**
     * What the next commit must bring and take. A block that nobody held is brought again even if it may still be stored:
     * another tab may be removing it.
     */
    pending() {
      const all = touched(blocks, touchedBlocks)
      const fresh = all.filter(({ one }) => isHeld(one) && !one.wasHeld)
      return {
        largeBlocks: fresh.filter(({ one }) => isLarge(one)).map(({ key }) => key),
        smallBlocks: fresh.filter(({ one }) => !isLarge(one)).map(({ key }) => key),
        goneBlocks: all.filter(({ one }) => !isHeld(one) && one.inStore && isLarge(one)).map(({ key }) => key),
        contents: touched(contents, touchedContents)
          .filter(({ one }) => isHeld(one) && !one.wasHeld)
          .map(({ key }) => key),
      }
    },
    /** The commit that `pending` asked for is stored, or was loaded; or was given up, and rolled back. */
    settle(): void {
      dead = this.deadBytes()
      settleAll(blocks, touchedBlocks, isLarge)
      settleAll(contents, touchedContents, () => false)
    },
    /** What a fold must put into the stores, and what it must remove. Goes by the counts of now. */
    unfolded() {
      const split = (map: ReadonlyMap<string, Counted>) => {
        const all = [...map]
        return {
          put: all.filter(([, one]) => isHeld(one) && (one.inCommit || !one.wasHeld)).map(([key]) => key),
          gone: all.filter(([, one]) => !isHeld(one) && one.inStore).map(([key]) => key),
        }
      }
      return { blocks: split(blocks), contents: split(contents) }
    },
    /** The stores hold all that is held, and nothing else: after a fold, or after loading them. */
    settleFolded(): void {
      for (const map of [blocks, contents] as readonly Map<string, Counted>[]) {
        for (const [key, one] of map) {
          if (isHeld(one)) Object.assign(one, { wasHeld: true, inCommit: false, inStore: true })
          else map.delete(key)
        }
      }
      dead = 0
      touchedBlocks.clear()
      touchedContents.clear()
    },
    /** Bytes that only wait for the next fold to be removed. */
    deadBytes: () =>
      touched(blocks, touchedBlocks)
        .filter(({ one }) => !isHeld(one) && one.wasHeld && one.inStore)
        .reduce((sum, { one }) => sum + one.size, dead),
  }
}
