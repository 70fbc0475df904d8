import type {
  Memory,
  MemoryChange,
  Project,
  ProjectChange,
  ProjectToAdd,
  PromptContext,
} from '@/lib/shared/conversation/settings/project'

/** `maxBytes`: the owner's storage limit; null: unlimited. Writes beyond it are refused (`storage-full`). */
interface Writing {
  readonly now: number
  readonly maxBytes: number | null
}

/** Projects and memories of an owner. A column of the chats (`ChatListStore`) says which project they are in. */
export interface ProjectStore {
  /** Sorted by name. */
  listProjects(owner: string): Promise<readonly Project[]>
  /** A repeated id returns the stored project. Refuses with AppError `bad-request` if the maximum is reached. */
  addProject(owner: string, project: ProjectToAdd, writing: Writing): Promise<Project>
  /** Null: there is no such project. */
  changeProject(owner: string, id: string, change: ProjectChange, writing: Writing): Promise<Project | null>
  /**
   * Deletes it with its memory. Its chats stay, outside of any project, and return to a project that is added with its
   * id.
   */
  removeProject(owner: string, id: string): Promise<void>
  /** `project` null: the owner's own memory. Returns null for a missing project. */
  loadMemory(owner: string, project: string | null): Promise<Memory | null>
  /**
   * The previous text is kept (`earlier`). Refuses with AppError `conflict` if the memory changed after `version`.
   * Null: no such project.
   */
  changeMemory(owner: string, project: string | null, change: MemoryChange, writing: Writing): Promise<Memory | null>
  /** The parts of a chat's system prompt outside of its settings; null: none. Always null for a temporary chat. */
  promptContext(owner: string, conversationId: string): Promise<PromptContext | null>
}
