export const PAGE_ROWS = 20;

export const offsetOf = (page: number): number => (page - 1) * PAGE_ROWS;

export function pageAnswer<Row>(rows: Row[], page: number, total: number) {
  const lastPage = Math.max(1, Math.ceil(total / PAGE_ROWS));
  return { status: 'success' as const, data: { data: rows, currentPage: page, lastPage } };
}
