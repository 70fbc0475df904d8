'use client'

import { useEffect, useState } from 'react'
import { useConversation } from '@/components/context/chat-context'
import type { ChatSkill } from '@/lib/client/skills/chat-skills'
import type { StoredSkill } from '@/lib/client/skills/skill-records'
import { chatSkills, watchSkills } from '@/lib/client/wiring/skills.browser'

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
