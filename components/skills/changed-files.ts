import type { ChatSkill } from '@/lib/client/skills/chat-skills'
import { skillFile, textOf } from '@/lib/shared/skills/skill'

/** A skill's file beside its approved version. A text is null if the file is missing or not text. */
export interface ChangedFile {
  readonly path: string
  readonly change: 'new' | 'changed' | 'gone'
  readonly before: string | null
  readonly after: string | null
  /** Bytes. */
  readonly size: number
}

/** The files that need approval; all files of a new skill. SKILL.md is first. */
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
