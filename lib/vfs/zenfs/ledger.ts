import type { BlockRef } from './records'
import type { Undo } from './tree'

/** Who refers to a content: the files as they are, or the log of changes. */
type Holder = 'files' | 'log'

interface Counted {
  files: number
  log: number
  /** The database has it. */
  stored: boolean
}

interface KnownContent extends Counted {
  readonly blocks: readonly BlockRef[]
}

interface KnownBlock extends Counted {
  readonly size: number
}

const isHeld = ({ files, log }: Counted) => files > 0 || log > 0
const onlyByLog = ({ files, log }: Counted) => files === 0 && log > 0

/** Who holds which contents and blocks, counted as it changes. `onUndo` hears how to take each change back. */
export function createLedger(onUndo: (undo: Undo) => void) {
  const contents = new Map<string, KnownContent>()
  const blocks = new Map<string, KnownBlock>()
  /** Contents and blocks that may have to be written or removed with the next commit. */
  const touchedContents = new Set<string>()
  const touchedBlocks = new Set<string>()
  let logBytes = 0

  function shiftBlock({ key, size }: BlockRef, holder: Holder, by: 1 | -1): void {
    let block = blocks.get(key)
    if (block === undefined) {
      block = { size, files: 0, log: 0, stored: false }
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

  return {
    /** Makes a content known; it needs a holder before the next commit. */
    know(version: string, refs: readonly BlockRef[]): void {
      if (!contents.has(version)) contents.set(version, { blocks: refs, files: 0, log: 0, stored: false })
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
    get logBytes() {
      return logBytes
    },
    /** What the database must get and lose so that it holds what is held. */
    pending() {
      const kept = (map: ReadonlyMap<string, Counted>, keys: Iterable<string>, held: boolean) =>
        [...keys].filter((key) => {
          const one = map.get(key)
          return one !== undefined && isHeld(one) === held && one.stored !== held
        })
      return {
        newBlocks: kept(blocks, touchedBlocks, true),
        oldBlocks: kept(blocks, touchedBlocks, false),
        newContents: kept(contents, touchedContents, true),
        oldContents: kept(contents, touchedContents, false),
      }
    },
    /** The database is as `pending` said, or was loaded. */
    settle(): void {
      for (const [map, touched] of [
        [blocks, touchedBlocks],
        [contents, touchedContents],
      ] as const) {
        for (const key of touched) {
          const one: Counted | undefined = map.get(key)
          if (one === undefined) continue
          if (isHeld(one)) one.stored = true
          else map.delete(key)
        }
        touched.clear()
      }
    },
  }
}
