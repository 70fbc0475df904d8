'use client'

import { skillFile, textOf } from '@/lib/shared/skills/skill'
import { useEffect, useState } from 'react'
import { useConversation } from '@/components/context/chat-context'
import type { ChatSkill, StoredSkill } from '@/lib/client/skills/chat-skills'
import { chatSkills, watchSkills } from '@/lib/client/wiring/skills.browser'

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

export interface SkillsOfChat {
  readonly skills: readonly ChatSkill[]
  /** The skills of new chats. */
  readonly shelf: readonly StoredSkill[]
}

/** The shown chat's skills, updated on changes; null until read. An unsent chat first gets the skills of new chats. */
export function useSkills(): { readonly found: SkillsOfChat | null; readonly problem: string | null } {
  const id = useConversation((view) => view.id)
  const isNew = useConversation((view) => view.phase === 'new')
  const [read, setRead] = useState<{ id: string; found: SkillsOfChat | null; problem: string | null } | null>(null)
  useEffect(() => {
    let wanted = true
    let reads = 0
    const look = async () => {
      reads += 1
      const turn = reads
      try {
        const [found, shelf] = await Promise.all([chatSkills.all(id), chatSkills.shelf()])
        if (!wanted || turn !== reads) return
        setRead({
          id,
          found: found.ok ? { skills: found.value, shelf } : null,
          problem: found.ok ? null : found.error.message,
        })
      } catch (error) {
        if (wanted) setRead({ id, found: null, problem: error instanceof Error ? error.message : String(error) })
      }
    }
    const unwatch = watchSkills(id, () => void look())
    void (isNew ? chatSkills.begin(id).catch(() => {}) : Promise.resolve()).then(look)
    return () => {
      wanted = false
      unwatch()
    }
  }, [id, isNew])
  return read?.id === id ? read : { found: null, problem: null }
}
