import { CodeBlock } from '@/components/ui/code-block'
import { permissionWords } from '@/lib/tool-calls/permission-words'
import type { ToolDefinition } from '@/lib/tools/tool'

/** What a tool says of itself, to people and to models. */
export function ToolFacts({ tool }: { tool: ToolDefinition }) {
  return (
    <section className="playground-facts" aria-label="Tool">
      <h2>
        <span className="tool">{tool.name}</span>
        <span className="tag">{permissionWords[tool.permission]}</span>
      </h2>
      <p className="playground-text">
        <WithCode text={tool.description} />
      </p>
      <p className="playground-text muted">
        files: {tool.capabilities.files} · network: {tool.capabilities.network}
        {tool.vcpCommand ? ` · in VCP also ${tool.vcpCommand}` : ''}
      </p>
      <div className="playground-schema">
        <CodeBlock label="Parameters" text={JSON.stringify(tool.parameters, null, 2)} language="json" maxLines={24} />
      </div>
    </section>
  )
}

/** Descriptions mark code with backticks, for models; people get code type. */
function WithCode({ text }: { text: string }) {
  return text.split('`').map((part, index) => (index % 2 === 1 ? <code key={index}>{part}</code> : part))
}
