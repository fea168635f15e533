CREATE TABLE "period_cursors" (
	"days" integer PRIMARY KEY NOT NULL,
	"ended_at" timestamp with time zone NOT NULL,
	"entry_id" uuid NOT NULL
);
--> statement-breakpoint
CREATE TABLE "period_winnings" (
	"days" integer NOT NULL,
	"user_id" uuid NOT NULL,
	"amount" numeric(20, 0) NOT NULL,
	CONSTRAINT "period_winnings_days_user_id_pk" PRIMARY KEY("days","user_id")
);
--> statement-breakpoint
CREATE TABLE "player_totals" (
	"user_id" uuid PRIMARY KEY NOT NULL,
	"games" integer NOT NULL,
	"wins" integer NOT NULL,
	"win_streak" integer NOT NULL,
	"deposited" numeric(20, 0) NOT NULL,
	"winnings" numeric(20, 0) NOT NULL,
	"biggest_win" numeric(20, 0) NOT NULL
);
--> statement-breakpoint
DROP INDEX "entries_ended";--> statement-breakpoint
ALTER TABLE "period_winnings" ADD CONSTRAINT "period_winnings_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "player_totals" ADD CONSTRAINT "player_totals_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "period_winnings_best" ON "period_winnings" USING btree ("days","amount","user_id");--> statement-breakpoint
CREATE INDEX "player_totals_rank" ON "player_totals" USING btree ("winnings");--> statement-breakpoint
CREATE INDEX "entries_cashed_out" ON "entries" USING btree ("ended_at","id") WHERE "entries"."outcome" = 'cashout';--> statement-breakpoint
CREATE INDEX "entries_ended" ON "entries" USING btree ("ended_at","id") WHERE "entries"."state" = 'ended' and "entries"."entry_fee" > 0;