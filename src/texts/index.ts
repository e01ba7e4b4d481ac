import type { Locale, Texts } from '../ports/texts.js'
import { en } from './en.js'
import { zhCN } from './zh-CN.js'

export { fill } from './fill.js'

export const textsByLocale: Readonly<Record<Locale, Texts>> = { en, 'zh-CN': zhCN }
