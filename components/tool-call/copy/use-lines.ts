'use client'

import { useEffect, useState } from 'react'
import { diffLines } from '@/components/ui/code/diff-view'
import { decodeText } from '@/lib/base/text/text-encoding'
import type { CopyChange, FilesCopy } from '@/lib/vfs/copy/files-copy'
import type { ChangedLines } from '../scope/call-scope'

/** A longer difference is not read by anyone. */
const comparedBytes = 400_000
/** For more files, nobody reads the counts. */
const maxCounted = 100

/** The text of one side of a change; null if there is no file, undefined if it is not text or too large to compare. */
export function textOfSide(bytes: Uint8Array | null): string | null | undefined {
  if (bytes === null) return null
  if (bytes.byteLength > comparedBytes) return undefined
  return decodeText(bytes)?.text
}

async function linesOf(row: CopyChange, sides: FilesCopy['sides']): Promise<ChangedLines | null> {
  const { before, after } = await sides(row)
  const [old, next] = [textOfSide(before), textOfSide(after)]
  if (old === undefined || next === undefined) return null
  const lines = await diffLines(old ?? '', next ?? '', false)
  const count = (kind: 'add' | 'del') => (lines ?? []).filter((line) => line.kind === kind).length
  return lines && { added: count('add'), removed: count('del') }
}

/** Lines added and removed in each changed text file, by path; filled in file by file. */
export function useLines(rows: readonly CopyChange[], sides: FilesCopy['sides']): ReadonlyMap<string, ChangedLines> {
  const [lines, setLines] = useState<ReadonlyMap<string, ChangedLines>>(new Map())
  useEffect(() => {
    const here = new AbortController()
    const count = async () => {
      const found = new Map<string, ChangedLines>()
      for (const row of rows.filter(({ kind }) => kind === 'file').slice(0, maxCounted)) {
        const counted = await linesOf(row, sides).catch(() => null)
        if (here.signal.aborted) return
        if (counted) found.set(row.path, counted)
      }
      setLines(found)
    }
    void count()
    return () => here.abort()
  }, [rows, sides])
  return lines
}
