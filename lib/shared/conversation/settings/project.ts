import type { SkillLine } from '@/lib/protocols/prompt/skill-lines'
import type { ChatSetup } from './preset'

/** The content of a project, apart from its chats. */
export interface ProjectContent {
  readonly name: string
  /** Sent before the system prompt of each of its chats. */
  readonly instructions: string
  /** The setup of its new chats; null: the defaults of all new chats. */
  readonly setup: ChatSetup | null
}

/** A folder of chats of one owner. */
export interface Project extends ProjectContent {
  readonly id: string
  /** How many chats it has, archived ones included. */
  readonly chats: number
}

/** The same id again is the same project. `memory`: for a project from a file, or an undone deletion. */
export interface ProjectToAdd extends ProjectContent {
  readonly id: string
  readonly memory?: string
}

export type ProjectChange = Partial<ProjectContent>

/** A Markdown text that models get: one for each owner, and one for each project. */
export interface Memory {
  readonly text: string
  /** 0: never written. Every change names the version that it was based on. */
  readonly version: number
  /** Earlier texts, the latest first. */
  readonly earlier: readonly EarlierMemory[]
}

interface EarlierMemory {
  readonly text: string
  /** When it was replaced, epoch milliseconds. */
  readonly at: number
}

/** `version`: of the text that was edited. A memory that changed since is not overwritten. */
export interface MemoryChange {
  readonly text: string
  readonly version: number
}

/** Which memory: the owner's own, or that of the chat's project. */
export type MemoryKind = 'user' | 'project'

/** Identified by the owner (`project` null: their own), or by a chat whose model wants to change it. */
export type MemoryPlace = { readonly project: string | null } | { readonly chat: string; readonly kind: MemoryKind }

/** The parts of a chat's system prompt besides the chat's own settings. Left out: there are none. */
export interface PromptContext {
  readonly project?: Pick<Project, 'id' | 'name' | 'instructions'>
  /** Sent only in chats that offer `edit_memory`. */
  readonly memory?: Readonly<Record<MemoryKind, string>>
  /** Those that the requesting page offers: it has the files, and knows which of them were approved. */
  readonly skills?: readonly SkillLine[]
}

/** The tool that changes a memory. A chat that offers it also sends the memory. */
export const memoryTool = 'edit_memory'

/** The path under which a card finds the text, instead of a file. */
export const memoryPath: Readonly<Record<MemoryKind, string>> = {
  user: 'memory:/user',
  project: 'memory:/project',
}

/** A chat that offers the tool sends the memories. */
export const usesMemory = ({ tools }: Pick<ChatSetup, 'tools'>): boolean =>
  Object.hasOwn(tools.toolToggles, memoryTool) && tools.toolToggles[memoryTool] === true

/** Most chats are in no project and use no memory: nothing is loaded for them. */
export const hasContext = (chat: { readonly settings: Pick<ChatSetup, 'tools'>; readonly project?: string }): boolean =>
  chat.project !== undefined || usesMemory(chat.settings)

/** The limit of each memory in a prompt, in estimated tokens. */
export const maxMemoryTokens = 1_500

export const maxProjects = 100
export const maxProjectNameChars = 80
export const maxInstructionChars = 20_000
export const maxMemoryChars = 20_000
/** Earlier texts that are kept of a memory. */
export const maxEarlierMemories = 10

/** The stored form: on one line, trimmed. '' is none. */
export const cleanProjectName = (text: string): string =>
  text
    .normalize('NFC')
    .toWellFormed()
    .replaceAll(/[\p{Cc}\s]+/gu, ' ')
    .trim()
    .slice(0, maxProjectNameChars)
    .toWellFormed()

/** The id of its files in the browser that has them: like those of a chat with this id. */
export const filesOfProject = (id: string): string => `project-${id}`
