'use client'

import { useAui } from '@assistant-ui/react'
import { Icon } from '@/components/ui/icon'
import { useChat } from './chat-context'
import { ModelProblems } from './model-problems'

const prompts = [
  { title: 'Add up a table', text: 'Make a small orders table and total it per month' },
  { title: 'Write a file', text: 'Draft a packing list as /notes/list.md' },
  { title: 'Look around', text: 'List the files of this chat, and read the first one' },
  { title: 'Run some code', text: 'Simulate a thousand dice rolls and show a chart' },
] as const

export function EmptyState() {
  const aui = useAui()
  const simulated = useChat(
    (state) =>
      state.models?.models.find((one) => one.id === state.view.conversation?.settings.model)?.simulated ?? false,
  )
  return (
    <div className="empty">
      <h2>Ask for something a tool can do</h2>
      <p>
        The model writes what it wants to run. You see it first, and nothing runs until you press Run. Tools work in
        your browser, on this chat’s own files.
      </p>
      <div className="try">
        {prompts.map((prompt) => (
          <button type="button" key={prompt.title} onClick={() => aui.thread.append(prompt.text)}>
            <b>{prompt.title}</b>
            <span>{prompt.text}</span>
          </button>
        ))}
      </div>
      <ModelProblems />
      {simulated ? (
        <p className="honest">
          <Icon name="info" />
          <span>
            The demo model is a script, not an AI: it knows these four prompts and little else. For real answers,
            whoever runs this server connects a model: start Ollama on it, or see “Connect a model” in its README.
          </span>
        </p>
      ) : null}
    </div>
  )
}
