/** What tabs of one browser tell each other of chats. */
export interface TabNews {
  /** One that changed; null: the list did. */
  readonly conversationId: string | null
  /** What new chats begin with changed. */
  readonly newChats?: true
  /** A model of this browser was added or removed. */
  readonly ownModels?: true
}

export const conversationsChannel = 'nod:conversations'
