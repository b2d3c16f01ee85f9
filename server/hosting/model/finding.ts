import type { Words } from '../../kernel/languages.ts';
/**
 * Origin of a line in a deployment plan: a key of `SOURCE_WORDS`, such as the application's settings, or the name of a
 * file in the source.
 */
export type FindingSource = keyof typeof SOURCE_WORDS | (string & {});

export type PlanLine =
  | 'node'
  | 'type'
  | 'install'
  | 'build'
  | 'caches'
  | 'start'
  | 'publish'
  | 'spa'
  | 'port'
  | 'health'
  | 'processes'
  | 'release'
  | 'cron'
  | 'image'
  | 'dockerfile'
  | 'target'
  | 'args';

/** Fact that was recognised in a source, with its effect on the deployment plan. */
export type Finding =
  | { kind: 'framework'; framework: string; by: string; source: string }
  | { kind: 'line'; line: PlanLine; value: string; by: FindingSource }
  | { kind: 'development'; script: string; tool: string }
  | { kind: 'files_only'; line: PlanLine; value: string }
  | { kind: 'language'; language: string; by: string; source: string }
  | { kind: 'version'; language: string; value: string; by: string }
  | { kind: 'language_idle'; language: string; by: string }
  | { kind: 'dockerfile_only'; line: PlanLine; value: string }
  | { kind: 'dockerfile_idle'; value: string; line: PlanLine; by: FindingSource }
  | { kind: 'dockerfile_unbuilt'; value: string }
  | { kind: 'dockerfile_untrusted'; value: string }
  | { kind: 'passed_over'; value: string; by: FindingSource }
  | { kind: 'unlocked'; by: string }
  | { kind: 'unserved'; framework: string; value: string };

export const SOURCE_WORDS = {
  settings: { he: 'ההגדרות של האפליקציה', ar: 'إعدادات التطبيق', en: 'the application’s settings' },
  lockfile: { he: 'קובץ הנעילה', ar: 'ملف القفل', en: 'the lockfile' },
  framework: { he: 'כך בונים איתה', ar: 'هكذا يُبنى بها', en: 'as its documentation says' },
  lts: { he: 'הגרסה החדשה ביותר בתמיכה ארוכה', ar: 'أحدث إصدار بدعم طويل الأمد', en: 'the newest LTS' },
  image: { he: 'התמונה', ar: 'الصورة', en: 'the image' },
  files: { he: 'לפי הקבצים', ar: 'حسب الملفات', en: 'by the files there are' },
} as const satisfies Record<string, Words>;
