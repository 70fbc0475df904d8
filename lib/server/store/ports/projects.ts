import type {
  Memory,
  MemoryChange,
  Project,
  ProjectChange,
  ProjectToAdd,
  PromptContext,
} from '@/lib/shared/conversation/settings/project'

/** `maxBytes`: what the owner may keep; null: any amount. More is refused (`storage-full`). */
interface Writing {
  readonly now: number
  readonly maxBytes: number | null
}

/** Projects and memories of an owner. Which chats are in a project is a column of the chats (`ChatListStore`). */
export interface ProjectStore {
  /** By name. */
  listProjects(owner: string): Promise<readonly Project[]>
  /** The same id again gives the stored one. Refuses with AppError `bad-request` when there are as many as can be. */
  addProject(owner: string, project: ProjectToAdd, writing: Writing): Promise<Project>
  /** Null: there is no such project. */
  changeProject(owner: string, id: string, change: ProjectChange, writing: Writing): Promise<Project | null>
  /** Deletes it with its memory. Its chats stay, outside of any project, and return to one that is added with its id. */
  removeProject(owner: string, id: string): Promise<void>
  /** `project` null: the owner's own. Gives null for a project that is not there. */
  loadMemory(owner: string, project: string | null): Promise<Memory | null>
  /**
   * The text before is kept (`earlier`). Refuses with AppError `conflict` when the memory changed after `version`. Null: no such
   * project.
   */
  changeMemory(owner: string, project: string | null, change: MemoryChange, writing: Writing): Promise<Memory | null>
  /** What the system prompt of a chat has beside the chat's settings; null: nothing. Nothing of it for a temporary chat. */
  promptContext(owner: string, conversationId: string): Promise<PromptContext | null>
}
