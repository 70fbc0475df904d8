'use client'

import { useAui } from '@assistant-ui/react'
import { Icon } from '@/components/ui/icon'
import { emptyState, emptyTitle, panel } from '@/components/ui/recipes/surface'
import { useChat } from '@/components/context/chat-context'
import { ModelProblems } from './model-problems'
import { viewOf } from '@/lib/client/open-conversations'

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
      state.models?.models.find((one) => one.id === viewOf(state).conversation?.settings.model)?.simulated ?? false,
  )
  return (
    <div className={emptyState()}>
      <h2 className={emptyTitle()}>Ask for something a tool can do</h2>
      <p>
        The model writes what it wants to run. You see it first, and nothing runs until you press Run. Tools work in
        your browser, on this chat’s own files.
      </p>
      <div className="mt-6 grid grid-cols-2 gap-2 narrow:grid-cols-1">
        {prompts.map((prompt) => (
          <button
            type="button"
            className={panel({}, 'px-3.5 py-3 hover:border-control')}
            key={prompt.title}
            onClick={() => aui.thread.append(prompt.text)}
          >
            <b className="block font-medium">{prompt.title}</b>
            <span className="text-sm text-muted">{prompt.text}</span>
          </button>
        ))}
      </div>
      <ModelProblems />
      {simulated ? (
        <div className="mt-5 flex gap-2 text-sm text-muted">
          <Icon name="info" className="mt-0.75 size-3.5" />
          <span>
            The demo model is a script, not an AI: it knows these four prompts and little else. For real answers,
            whoever runs this server connects a model: start Ollama on it, or see “Connect a model” in its README.
          </span>
        </div>
      ) : null}
    </div>
  )
}
