/** The messages about chats between the tabs of one browser. */
export interface TabMessage {
  /** The one that changed; null: the list did. */
  readonly conversationId: string | null
  /** The defaults of new chats changed. */
  readonly newChats?: true
  /** A model of this browser was added or removed. */
  readonly ownModels?: true
}

export const conversationsChannel = 'nod:conversations'
