'use client'

export interface WorkspacePanelProps {
  readonly conversationId: string
  readonly onClose: () => void
}

/** The files of the conversation: tree, one open file, changes, usage. */
export default function WorkspacePanel({ conversationId }: WorkspacePanelProps) {
  return <p>{conversationId}</p>
}
