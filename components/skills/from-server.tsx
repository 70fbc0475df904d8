'use client'

import { useEffect, useState } from 'react'
import { Button } from '@/components/ui/controls/button'
import { Wait } from '@/components/ui/page/wait'
import { rows } from '@/components/ui/recipes/field'
import { cx } from '@/components/ui/recipes/recipe'
import { SentenceText } from '@/components/ui/text/foreign-text'
import { asUntrusted, labelOf } from '@/lib/base/untrusted-text/foreign'
import { type IncomingSkill, skillOfServer } from '@/lib/client/skills/import-skills'
import { filesOfServer, skillServers, skillsOfServer, type SkillServer } from '@/lib/client/wiring/skills.browser'
import { t } from '@/lib/i18n/t'
import { cutDescription, plainLine } from '@/lib/protocols/prompt/skill-lines'
import type { OfferedSkill } from '@/lib/shared/mcp/offers'

interface FromServerProps {
  readonly disabled: boolean
  readonly onAdd: (skills: readonly IncomingSkill[]) => void
}

/** The most characters of a description in the list. */
const MAX_SAID = 160

const failedOf = ({ name }: SkillServer): string => t('skills.server-failed', { name: asUntrusted(name) })

/** Skills of tool servers. A server is asked only when its button is pressed. */
export function FromServer({ disabled, onAdd }: FromServerProps) {
  const [servers, setServers] = useState<readonly SkillServer[] | null>(null)
  const [listed, setListed] = useState<ReadonlyMap<string, readonly OfferedSkill[]>>(new Map())
  const [asking, setAsking] = useState(false)
  const [problem, setProblem] = useState<string | null>(null)
  useEffect(() => {
    let wanted = true
    const load = async () => {
      const found = await skillServers().catch(() => [])
      if (wanted) setServers(found)
    }
    void load()
    return () => {
      wanted = false
    }
  }, [])

  const ask = async (server: SkillServer, work: () => Promise<string | null>) => {
    setAsking(true)
    setProblem(await work().catch(() => failedOf(server)))
    setAsking(false)
  }
  const list = (server: SkillServer) =>
    ask(server, async () => {
      const found = await skillsOfServer(server.id)
      if (!found.ok) return found.failure.kind === 'relay' ? found.failure.message : failedOf(server)
      setListed((now) => new Map([...now, [server.id, found.value]]))
      return found.value.length === 0 ? t('skills.server-none', { name: asUntrusted(server.name) }) : null
    })
  const add = (server: SkillServer, { uri }: OfferedSkill) =>
    ask(server, async () => {
      const files = await filesOfServer(server.id, uri)
      if (!files.ok && files.failure.kind === 'relay') return files.failure.message
      if (!files.ok || files.value.length === 0) return t('skills.server-not-whole', { name: asUntrusted(server.name) })
      const read = skillOfServer(files.value)
      if (!read.ok) return read.error.message
      onAdd(read.value)
      return null
    })
  return (
    <section className="mt-4" aria-label={t('skills.from-server')}>
      {servers === null || asking ? <Wait what={t('skills.server-asking')} /> : null}
      {servers?.length === 0 ? <p className="text-sm text-muted">{t('skills.no-servers')}</p> : null}
      {problem === null ? null : (
        <p className="mb-3 text-sm text-danger" role="alert">
          <SentenceText text={problem} />
        </p>
      )}
      {servers?.map((server) => (
        <div key={server.id} className="mb-3">
          <div className="mb-2 flex items-center gap-3">
            <span className="me-auto font-medium wrap-anywhere">
              <SentenceText text={asUntrusted(server.name)} />
            </span>
            <Button disabled={asking} onClick={() => void list(server)}>
              {t('skills.server-list')}
            </Button>
          </div>
          {(listed.get(server.id) ?? []).length > 0 ? (
            <ul className={cx(rows())}>
              {listed.get(server.id)?.map((skill) => (
                <li
                  key={skill.uri}
                  className="flex items-center gap-3 px-3.5 py-2 not-first:border-t not-first:border-line"
                >
                  <span className="me-auto min-w-0 wrap-anywhere">
                    <span className="font-medium">
                      <SentenceText text={asUntrusted(skill.name)} />
                    </span>
                    <small className="block text-sm text-muted">
                      <SentenceText text={asUntrusted(cutDescription(plainLine(skill.about), MAX_SAID))} />
                    </small>
                  </span>
                  <Button
                    aria-label={labelOf(t('skills.add-own', { name: asUntrusted(skill.name) }))}
                    disabled={disabled || asking}
                    onClick={() => void add(server, skill)}
                  >
                    {t('skills.add-short')}
                  </Button>
                </li>
              ))}
            </ul>
          ) : null}
        </div>
      ))}
    </section>
  )
}
