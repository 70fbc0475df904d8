import { CodeBlock } from '@/components/ui/code-block'
import { badge } from '@/components/ui/recipes/badge'
import { permissionWords } from '@/lib/words/tool-facts'
import type { ToolDefinition } from '@/lib/tools/tool'
import { playSentence as say } from '@/lib/words/playground'
import { benchPart, BenchTitle } from './bench'

/** What a tool says of itself, to people and to models. */
export function AboutTool({ tool }: { tool: ToolDefinition }) {
  return (
    <section className={benchPart({ top: 'none' })} aria-label={say('play.tool')}>
      <BenchTitle>
        <span className="font-mono whitespace-nowrap">{tool.name}</span>
        <span className={badge()}>{permissionWords[tool.permission]}</span>
      </BenchTitle>
      <p className="max-w-column text-pretty">
        <WithCode text={tool.description} />
      </p>
      <p className="mt-1 mb-3 max-w-column text-sm text-pretty text-muted">
        {say('play.reach', { ...tool.capabilities, command: tool.vcpCommand ?? '' })}
      </p>
      <div className="overflow-clip rounded-lg border border-line">
        <CodeBlock
          label={say('play.parameters')}
          text={JSON.stringify(tool.parameters, null, 2)}
          language="json"
          maxLines={24}
        />
      </div>
    </section>
  )
}

/** Descriptions mark code with backticks, for models; people get code type. */
function WithCode({ text }: { text: string }) {
  return text.split('`').map((part, index) => (index % 2 === 1 ? <code key={index}>{part}</code> : part))
}
