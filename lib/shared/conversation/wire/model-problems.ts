import { refusalText } from '@/lib/i18n/t'
import type { ModelsResponse } from './api-types'

/** The problems of the model sources, in the reader's language. */
export const problemsOfModels = (models: Pick<ModelsResponse, 'problems' | 'problemsTold'> | null): readonly string[] =>
  models?.problemsTold?.map((problem) => refusalText(problem)) ?? models?.problems ?? []
