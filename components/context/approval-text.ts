import { t } from '@/lib/i18n/t'
import type { ToolCallConfig } from '@/lib/shared/conversation/conversation'

/** When a chat's calls need approval, in a few words. */
export function approvalText(config: ToolCallConfig | undefined, isOnCopy = false): string {
  if (isOnCopy) return t('frame.on-copy')
  if (!config) return t('frame.asks-all')
  if (!config.enabled) return t('frame.tools-off')
  const picked = Object.values(config.toolRules).some(({ execution = 'always' }) => execution !== 'always')
  return config.mode === 'auto' && picked ? t('frame.picked-alone') : t('frame.asks-all')
}
