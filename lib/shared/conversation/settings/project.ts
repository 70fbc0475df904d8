import type { SkillLine } from '@/lib/protocols/prompt/skill-lines'
import type { ChatSetup } from './preset'

/** What a project is, apart from its chats. */
export interface ProjectContent {
  readonly name: string
  /** Sent before the system prompt of each of its chats. */
  readonly instructions: string
  /** What its new chats begin with; null: what all new chats begin with. */
  readonly setup: ChatSetup | null
}

/** A folder of chats of one owner. */
export interface Project extends ProjectContent {
  readonly id: string
  /** How many chats it has, archived ones too. */
  readonly chats: number
}

/** The same id again is the same project. `memory`: of a project from a file, or one whose deletion is undone. */
export interface ProjectToAdd extends ProjectContent {
  readonly id: string
  readonly memory?: string
}

export type ProjectChange = Partial<ProjectContent>

/** A Markdown text that is shown to models: one for each owner, and one for each project. */
export interface Memory {
  readonly text: string
  /** 0: never written. Every change is made to the version that it was based on. */
  readonly version: number
  /** Earlier texts, the last one first. */
  readonly earlier: readonly EarlierMemory[]
}

interface EarlierMemory {
  readonly text: string
  /** When it was replaced, epoch milliseconds. */
  readonly at: number
}

/** `version`: of the text that was changed. A memory that changed since is not overwritten. */
export interface MemoryChange {
  readonly text: string
  readonly version: number
}

/** Which memory: the owner's own, or that of the chat's project. */
export type MemoryKind = 'user' | 'project'

/** By the owner (`project` null: their own), or by a chat whose model wants to change it. */
export type MemoryPlace = { readonly project: string | null } | { readonly chat: string; readonly kind: MemoryKind }

/** What the system prompt of a chat has beside the chat's own settings. Left out: it has none of it. */
export interface PromptContext {
  readonly project?: Pick<Project, 'id' | 'name' | 'instructions'>
  /** Sent only in chats that offer `edit_memory`. */
  readonly memory?: Readonly<Record<MemoryKind, string>>
  /** Those that the asking page offers: it has the files, and knows which of them were approved. */
  readonly skills?: readonly SkillLine[]
}

/** The tool that changes a memory. A chat that offers it is sent the memory too. */
export const memoryTool = 'edit_memory'

/** Where a card looks for the text, in place of a file. */
export const memoryPath: Readonly<Record<MemoryKind, string>> = {
  user: 'memory:/user',
  project: 'memory:/project',
}

/** A chat that offers the tool is sent the memories. */
export const usesMemory = ({ tools }: Pick<ChatSetup, 'tools'>): boolean =>
  Object.hasOwn(tools.toolToggles, memoryTool) && tools.toolToggles[memoryTool] === true

/** Most chats are in no project and use no memory: nothing is asked for them. */
export const hasContext = (chat: { readonly settings: Pick<ChatSetup, 'tools'>; readonly project?: string }): boolean =>
  chat.project !== undefined || usesMemory(chat.settings)

/** Each memory may take so many tokens of a prompt, as they are estimated. */
export const mostMemoryTokens = 1_500

export const mostProjects = 100
export const mostProjectNameChars = 80
export const mostInstructionChars = 20_000
export const mostMemoryChars = 20_000
/** Earlier texts that are kept of a memory. */
export const mostEarlierMemories = 10

/** As it is kept: on one line, without blanks around. '' is none. */
export const cleanProjectName = (text: string): string =>
  text
    .normalize('NFC')
    .toWellFormed()
    .replaceAll(/[\p{Cc}\s]+/gu, ' ')
    .trim()
    .slice(0, mostProjectNameChars)
    .toWellFormed()

/** Where its files are kept in the browser that holds them: as those of a chat with this id. */
export const filesOfProject = (id: string): string => `project-${id}`
