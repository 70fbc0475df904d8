import type { ChatSkill } from '@/lib/client/skills/chat-skills'
import { skillFile, textOf } from '@/lib/shared/skills/skill'

/** A file of a skill beside the one that was approved. A text is null where there is none, or where it is no text. */
export interface ChangedFile {
  readonly path: string
  readonly change: 'new' | 'changed' | 'gone'
  readonly before: string | null
  readonly after: string | null
  /** Bytes. */
  readonly size: number
}

/** What an approval is about; all files of a skill that is new. SKILL.md is first. */
export function changedFiles({ files, before }: Pick<ChatSkill, 'files' | 'before'>): readonly ChangedFile[] {
  const old = new Map((before?.files ?? []).map(({ path, data }) => [path, data]))
  const now = new Map(files.map(({ path, data }) => [path, data]))
  return [...new Set([...old.keys(), ...now.keys()])]
    .toSorted((a, b) => Number(b === skillFile) - Number(a === skillFile) || (a < b ? -1 : 1))
    .flatMap((path): readonly ChangedFile[] => {
      const [then, here] = [old.get(path), now.get(path)]
      if (then && here && isSame(then, here)) return []
      const change = !then ? 'new' : !here ? 'gone' : 'changed'
      const text = (data: Uint8Array | undefined) => (data ? textOf(data) : null)
      return [{ path, change, before: text(then), after: text(here), size: (here ?? then)?.byteLength ?? 0 }]
    })
}

const isSame = (one: Uint8Array, other: Uint8Array): boolean =>
  one.byteLength === other.byteLength && one.every((byte, at) => byte === other[at])
