'use client'

export interface ChangesSectionProps {
  readonly conversationId: string
  /** Opens a file of the workspace. */
  readonly onOpen: (path: string) => void
}

/** What changed in the workspace, newest first, each to be taken back. */
export default function ChangesSection({ conversationId }: ChangesSectionProps) {
  return <p>{conversationId}</p>
}
