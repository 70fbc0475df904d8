import { CodeBlock } from '@/components/ui/code-block'
import { badge } from '@/components/ui/recipes/badge'
import { useLanguage } from '@/components/ui/use-language'
import { toolAbout } from '@/lib/i18n/tool-abouts'
import { t } from '@/lib/i18n/t'
import type { ToolDefinition } from '@/lib/tools/tool'
import { benchPart, BenchTitle } from './bench'

/** What a tool says of itself: to people in their language, and to models word for word. */
export function AboutTool({ tool }: { tool: ToolDefinition }) {
  const language = useLanguage()
  const about = toolAbout(tool.name)
  return (
    <section className={benchPart({ top: 'none' })} aria-label={t('play.tool')}>
      <BenchTitle>
        <span className="font-mono whitespace-nowrap">{tool.name}</span>
        <span className={badge()}>{t(`permission.${tool.permission}`)}</span>
      </BenchTitle>
      {about === null || language === 'en' ? null : (
        <>
          <p className="mb-2 max-w-column text-pretty">{about}</p>
          <p className="text-sm text-muted">{t('play.as-told')}</p>
        </>
      )}
      <p className="max-w-column text-pretty" lang="en">
        <WithCode text={tool.description} />
      </p>
      <p className="mt-1 mb-3 max-w-column text-sm text-pretty text-muted">
        {t('play.reach', { ...tool.capabilities, command: tool.vcpCommand ?? '' })}
      </p>
      <div className="overflow-clip rounded-lg border border-line">
        <CodeBlock
          label={t('play.parameters')}
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
