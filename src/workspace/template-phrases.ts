/**
 * The phrases by which a template's own text is known: a few distinctive words each, from what the templates of public
 * workspaces have in common and from the wording that every form uses. In lower case, with straight quotes and
 * half-width punctuation; a bar or a line's end stands between two.
 */
const phrases = (table: string) => table.split(/[|\n]/).flatMap((phrase) => phrase.trim() || [])

/** What stands in place of a value, alone or in brackets. */
export const placeholderWords: ReadonlySet<string> = new Set(
  phrases(`
    tbd | tba | tbc | todo | fixme | wip | n/a | none | none yet | null | undefined | unknown | unset | undecided
    not set | not set yet | not yet | not yet set | not yet chosen | not yet known | not chosen yet | not decided yet
    not specified | not provided | not known yet | unknown yet | nothing yet | nothing here yet | pending | blank | empty
    to be determined | to be decided | to be defined | to be announced | to be chosen | to be set | to be confirmed
    placeholder | optional | required | if any | if known | if specified | if relevant | example | value | text
    name | name here | agent name | assistant name | bot name | ai name | user name | username | nickname | full name
    first name | preferred name | timezone | time zone | role
    未设置 | 未設置 | 未设定 | 未設定 | 未定 | 未命名 | 未填写 | 未填寫 | 未填 | 未知 | 未指定 | 未定义 | 未定義 | 尚未设置 | 尚未設定
    尚未填写 | 尚未命名 | 还没有 | 還沒有 | 还没定 | 暂无 | 暫無 | 暂未设置 | 暂缺 | 无 | 無 | 空 | 略 | 可选 | 可選 | 选填 | 選填
    必填 | 填写 | 填寫 | 名字 | 姓名 | 名称 | 名稱 | 昵称 | 某某 | 占位 | 占位符
    未記入 | 未入力 | 未決定 | 未決 | 未確定 | 要記入 | 記入待ち | なし | 特になし | まだない | まだ未定 | 任意 | 省略可 | 必須
    後で決める | あとで決める | 後日 | 検討中 | 準備中 | 名前 | 名前未定 | 決まっていません
    미정 | 미설정 | 미지정 | 미입력 | 미작성 | 미기입 | 미확정 | 없음 | 아직 없음 | 아직 미정 | 선택 | 선택 사항 | 선택사항 | 필수
    추후 결정 | 추후 입력 | 추후 작성 | 나중에 | 나중에 결정 | 작성 필요 | 입력 필요 | 작성 예정 | 이름
  `),
)

/** How a hint begins that asks for a value, wherever a value could stand. */
export const promptOpenings: readonly string[] = phrases(`
  pick something | pick one | pick a | pick an | pick your | choose something | choose one | choose a | choose an
  choose your | enter your | enter a | enter the | insert your | insert a | insert name | insert the | fill in | fill this
  fill me | fill out | to be filled | to be populated | to be updated | add your | put your | type your | write your
  write a paragraph | write here | list your | list people | list pets | describe your | describe the user
  describe the agent | describe who | describe what | describe how | specify your | replace this | replace with
  update with | what should | what do | what does | what is your | what's your | what you | what they | what is this
  who are | who you | how do | how should | how you | how they | how you'd | ask how they | ask the user
  your human's name | the user's name | your signature | anything else | e.g. | eg: | i.e. | for example | such as
  todo: | todo - | tbd: | tbd - | // todo | //todo
  选一个 | 選一個 | 选择一个 | 選擇一個 | 选个 | 选择你 | 挑一个 | 起一个 | 请填写 | 請填寫 | 请输入 | 請輸入 | 请选择 | 請選擇
  填写你 | 填写您 | 填你 | 填入 | 你的名字 | 您的名字 | 你的标志 | 你的標誌 | 你的代表 | 你给人 | 你給人 | 例如 | 比如 | 例: | 如:
  示例: | 譬如 | 待填写 | 待填寫
  好きなもの | 好きな名前 | あなたの名前 | あなたの署名 | 自分を象徴 | 例えば | たとえば | 記入例 | 例)
  마음에 드는 | 자신을 상징 | 당신의 이름 | 예: | 예) | 예를 들 | 예시
`)

/** How a sentence begins that speaks of the file itself or of how to fill it. */
export const metaOpenings: readonly string[] = phrases(`
  this file | this document | this template | this section | update this | update it | edit this | keep this file
  keep sensitive | save this | copy this file | delete this | remove this line | use this file | customize this
  customise this | make it yours | setup instructions | add any | add more | add notes | add note | add details
  add durable | add relevant | add projects | add a section | add here | add as you | add items | add whatever
  record user | learn about the | learn about your | information about the user | personal information about
  facts about the | notes about the | help your agent | tell the agent | tell your agent | your agent reads
  your timezone for | your pronouns ( | things they | for avatars | fields are parsed | when a tool | if any field
  keep this practical | keep it brief | replace all | private relationship | short bio | initially empty | grows through | fill these | fill it | fill them
  此文件 | 本文件 | 这个文件 | 该文件 | 此檔案 | 本檔案 | 這個檔案 | 該檔案 | 此模板 | 本模板 | 这是模板 | 这个身份是 | 将此文件
  將此檔案 | 把此文件 | 对于头像 | 對於頭像 | 头像请 | 頭像請 | 頭像可 | 字段会 | 欄位會 | 当工具 | 當工具 | 不要记录密
  このファイル | 本ファイル | このテンプレート | これはテンプレート | アバターには | フィールドは
  이 파일 | 이 문서 | 이 템플릿 | 본 파일 | 이것은 템플릿 | 아바타에는 | 필드는
`)

/** What gives a template's sentence away wherever it stands in it. */
export const stockPhrases: readonly string[] = phrases(`
  the person you're helping | the person you are helping | the person you assist | your first conversation
  update this as | update as you | update it as | as you learn | as you meet | fill this in | fill it in | fill in the
  fill in your | fill them in | the more you know | building a dossier | build a dossier | respect the difference
  isn't just metadata | is not just metadata | figuring out who you are | figure out who you are
  workspace-relative path | the workspace root as | data uri | unfilled placeholder | /concepts/agent-workspace
  goes here | personalize interactions | personalized interactions | personalized assistance | personalize your
  leave it blank | leave blank | do not invent | build this over time | build this up | from conversation and
  is a template | this template | anything else that helps | anything else you | anything else your | anything else worth
  anything the agent should know | you'd like to be addressed | you want to be called | agent addresses the user
  relevant background or | work patterns and | communication style preferences | and their status | links to relevant
  deadlines and milestones | tools they prefer | notification preferences | 12-hour preference | learned from conversation | inferred or stated | auto-detected | proactively ask for and
  won't be committed | important context that | lessons learned about working | relationship history and key
  facts over speculation | or secrets here | shapes voice | shapes posture | shapes every | how to phrase something
  generic assistant mode | affects expression style | truthfulness, safety
  第一次对话 | 第一次對話 | 首次对话 | 首次對話 | 初次对话 | 让它成为 | 让它属于 | 让它真正属于 | 讓它成為 | 屬於你的身分
  了解你正在 | 了解你需要帮助 | 正在帮助的 | 正在協助的 | 随时更新 | 隨時更新 | 持续更新 | 持續更新 | 逐步更新 | 逐步完善
  边走边更新 | 随着时间 | 隨著時間 | 随着互动 | 随着了解 | 随着使用 | 隨著進展 | 随着协作 | 了解得越多 | 知道得越多 | 了解越多
  了解一个人 | 了解一個人 | 建立档案 | 建立檔案 | 一份档案 | 尊重这 | 尊重其中 | 请尊重 | 請尊重 | 这种区别 | 只是元数据
  仅仅是元数据 | 只是中繼資料 | 弄清楚你是谁 | 弄清你是谁 | 你是谁的 | 釐清你是誰 | 探索你是 | 探索自我 | 探索"你
  工作区根目录 | 工作區根目錄 | 工作区相对 | 工作區相對 | 相对于工作区 | 相對於工作區 | 占位文本 | 預留文字 | 預留位置 | 佔位文字
  填写此 | 填写这 | 填寫此 | 中填写 | 时填写 | 期间填写 | 時填寫 | 期間填寫 | 处填写 | 里填写 | 进行填写 | 请填写 | 請填寫
  根据实际情况 | 按需修改 | 更新此文件 | 更新这个文件 | 更新本文件 | 自动更新此 | 相关上下文 | 关于用户的 | 帮助智能体 | 帮助助手
  最初の会話 | 最初の対話 | 初回の会話 | 自分らしい | 自分らしく | あなたらしく | 支援する相手 | 支援している人 | 助けている人
  助けている相手 | ながら更新 | つれて更新 | 重ねながら | 随時更新 | 都度更新 | 時間をかけて | 積み上げて | 積み重ね | 蓄積して
  知れば知るほど | 知るほど | 知っていることが多いほど | 調査書 | 調査資料 | 調書 | 身上書 | 違いを尊重 | メタデータではありません
  メタデータではなく | 何者なのか | 誰なのかを | 第一歩です | ワークスペース相対 | ワークスペースのルート | データ uri
  選んでください | 記入してください | 入力してください | 埋めてください | 書き込んでください | 追記してください | 記載してください
  名前を決めて | プレースホルダ | パーソナライズ | 理解しましょう | 学びましょう
  첫 대화 | 첫 번째 대화 | 돕고 있는 사람 | 도와주고 있는 사람 | 대해 알아가 | 대해 알아보 | 사람을 알아가 | 업데이트하세요
  업데이트하십시오 | 업데이트해 주세요 | 진행하면서 이 | 대화하면서 업데이트 | 대화하면서 채 | 시간을 두고 | 쌓아가
  더 많이 알수록 | 많이 알수록 | 자료철 | 신상 파일 | 기록물을 만드는 | 차이를 존중 | 메타데이터가 아닙니다 | 누구인지 알아
  작성하세요 | 작성하십시오 | 기입하세요 | 입력하세요 | 입력하십시오 | 채우세요 | 채워주세요 | 채워 주세요 | 채워 나가 | 채워나가
  적어주세요 | 적어 주세요 | 선택하세요 | 선택하십시오 | 고르세요 | 정체성을 담아 | 상대 경로 | 작업 공간 루트 | 워크스페이스 루트
  데이터 uri
`)

/** Wording with something in its middle: "write it in here", as each language puts it. */
export const stockPatterns: readonly RegExp[] = [
  /在.{0,12}(?:填写|填寫|填入|补充|補充)/,
  /(?:在此|在这里|在這裡|此处|此處|下方|下面).{0,6}(?:添加|记录|記錄|写|寫|更新|说明)/,
  /(?:ここ|以下|下記)に.{0,14}(?:記入|入力|書|追加|記載|追記)/,
  /여기에.{0,14}(?:작성|입력|기입|적|추가|기록|채)/,
  /(?:write|put|add|list|note|insert|describe) .{0,40}\bhere[.:]?$/,
]

/** What a line with a colon at its end asks to be listed; the list is then the template's own. */
export const listPrompts: readonly string[] = phrases(`
  add any | add anything | add relevant | things like | such as | for example | examples | e.g. | could include
  may include | can include | consider adding | consider noting | 例如 | 比如 | 可以包括 | 例えば | 예를 들
`)

/** A heading over a sample of how the file may look. */
export const sampleHeading =
  /^(?:an? |filled |full )*(?:examples?|samples?)(?!\p{L})|^(?:示例|范例|範例|样例|例子|填写示例|記入例|サンプル|例$|예시|예제|샘플)/u

/** `Your agent's name`, `the user's time zone (IANA)`: the label once more, as a form says it. */
export const labelAsValue =
  /^(?:your|the|user|agent)(?:'s)? (?:(?:own|preferred|full|first|last|human's|user's|agent's|assistant's) )*(?:name|nickname|pronouns?|time ?zone|role|title|location|city|language|emoji|avatar|vibe|email|job|company|occupation|background|birthday)(?:s)?(?:$|(?= (?:goes|here|or|for)\b)|(?=\s*[,.:;(/]))/
