'use client'

import { checkBox, checkLabel } from '@/components/ui/recipes/field'
import { ForeignName } from '@/components/ui/text/foreign-text'
import { t } from '@/lib/i18n/t'
import { placeholderOf } from '@/lib/shared/secrets/placeholders'
import type { ResultApprovalModel } from './use-result-approval'
import { shortValue, useSecrets } from '../secrets/use-secrets'

/** The values of a result for which the model gets placeholders. The model gets the real value of an unchecked one. */
export function FoundSecrets({ approval: { state, on, busy } }: { approval: ResultApprovalModel }) {
  const secrets = useSecrets(state.stored)
  const found = secrets?.flatMap(({ known }) => known ?? []) ?? []
  if (found.length === 0) return null
  const count = found.filter(({ number }) => !state.shown.has(number)).length
  return (
    <fieldset className="m-0 border-0 border-b border-line px-3.5 py-2.5 narrow:px-3">
      <legend className="float-start mb-1.5 w-full p-0 text-sm text-pretty">{t('secrets.found', { count })}</legend>
      <ul className="clear-both max-h-[11rem] overflow-y-auto">
        {found.map(({ number, value, kind }) => (
          <li key={number}>
            <label className={checkLabel({}, 'min-w-0 pointer-coarse:min-h-touch')}>
              <input
                type="checkbox"
                className={checkBox()}
                checked={!state.shown.has(number)}
                disabled={busy}
                onChange={({ target: { checked } }) =>
                  on({ type: 'secret-shown', number, value: checked ? null : value })
                }
              />
              <span className="min-w-0 text-sm wrap-anywhere">
                <code>{placeholderOf(number)}</code> <span className="text-muted">{t('secrets.kind', { kind })}</span>{' '}
                <span title={value}>
                  <ForeignName text={shortValue(value)} />
                </span>
              </span>
            </label>
          </li>
        ))}
      </ul>
    </fieldset>
  )
}
