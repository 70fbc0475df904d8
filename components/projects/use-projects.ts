'use client'

import { useCallback, useEffect, useState, useSyncExternalStore } from 'react'
import { useChatActions, useClientStore, useConversation } from '@/components/context/chat-context'
import { focusMessage } from '@/components/context/show-in-page'
import { contextOf, type ProjectList, type ProjectListState } from '@/lib/client/api/project-list'
import { settingsOfNew } from '@/lib/client/chats/new-conversation'
import { viewOf } from '@/lib/client/state/open-conversations'
import { copyProjectFiles } from '@/lib/client/wiring/files/project-files.browser'
import { loadContext, localMemories, localProjects } from '@/lib/client/wiring/projects.browser'
import type { ConversationSettings } from '@/lib/shared/conversation/conversation'
import { settingsOfSetup } from '@/lib/shared/conversation/settings/preset'
import type { Memory, Project, PromptContext } from '@/lib/shared/conversation/settings/project'
import { mayHaveSkills } from '@/lib/client/wiring/noted.browser'
import { loadPart } from '@/lib/i18n/load-part'
import { t } from '@/lib/i18n/t'

const nothing: ProjectListState = { projects: null, problem: null, deleted: null }
const noMemories: ReadonlyMap<string, Memory> = new Map()

/** The user's projects, reloaded where they are shown. */
export function useProjects(): ProjectListState & { readonly list: ProjectList } {
  const list = localProjects()
  const state = useSyncExternalStore(list.subscribe, list.getState, () => nothing)
  useEffect(() => void list.load(), [list])
  return { ...state, list }
}

/** A loaded memory; undefined if it is not loaded yet. */
export function useMemory(project: string | null): Memory | undefined {
  const memories = localMemories()
  const state = useSyncExternalStore(memories.subscribe, memories.getState, () => noMemories)
  return state.get(project ?? '')
}

/** The shown chat's prompt parts besides its settings. */
export function usePromptContext(settings: ConversationSettings): PromptContext | undefined {
  const project = useConversation((view) => view.conversation?.project)
  const [list, memories] = [localProjects(), localMemories()]
  const { projects } = useSyncExternalStore(list.subscribe, list.getState, () => nothing)
  const known = useSyncExternalStore(memories.subscribe, memories.getState, () => noMemories)
  const skills = useSkillLines()
  useEffect(() => void loadContext({ settings, project }), [settings, project])
  const context = contextOf({ settings, project }, projects, known)
  return skills.length > 0 ? { ...context, skills } : context
}

const noLines: NonNullable<PromptContext['skills']> = []

/** The skills that the shown chat's next prompt offers. */
function useSkillLines(): NonNullable<PromptContext['skills']> {
  const id = useConversation((view) => view.id)
  const [read, setRead] = useState({ id, lines: noLines })
  useEffect(() => {
    let unwatch = () => {}
    let wanted = true
    const watch = async () => {
      const { skillsOfPrompt, watchSkills } = await loadPart(() => import('@/lib/client/wiring/skills.browser'))
      const look = async () => {
        const lines = await skillsOfPrompt(id)
        if (wanted) setRead({ id, lines })
      }
      if (wanted) unwatch = watchSkills(id, () => void look())
      await look()
    }
    // Without them the preview lacks a part, which is not an error.
    if (mayHaveSkills()) void watch().catch(() => {})
    return () => {
      wanted = false
      unwatch()
    }
  }, [id])
  return read.id === id ? read.lines : noLines
}

/** Opens a new chat in a project, with its settings and a copy of its files. */
export function useStartInProject(): (project: Project) => void {
  const actions = useChatActions()
  const store = useClientStore()
  return useCallback(
    (project) => {
      actions.newChat()
      const state = store.getState()
      const { conversation } = viewOf(state)
      if (!conversation) return
      const { models } = state
      const settings = project.setup ? settingsOfSetup(project.setup, models) : settingsOfNew(models)
      store.dispatch({ type: 'view-new', conversation: { ...conversation, settings, project: project.id } })
      const copy = async () => {
        const why = await copyProjectFiles(project.id, conversation.id)
        if (why === null) return
        const problem = { message: t('projects.files-not-copied', { why }), canRetry: false }
        store.dispatch({ type: 'problem-raised', conversationId: conversation.id, problem })
      }
      void copy()
      focusMessage()
    },
    [actions, store],
  )
}
