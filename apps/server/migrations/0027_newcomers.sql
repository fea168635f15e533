CREATE TABLE "daily_goals" (
	"user_id" uuid NOT NULL,
	"day" date NOT NULL,
	"progress" integer NOT NULL,
	"is_reached" boolean NOT NULL,
	CONSTRAINT "daily_goals_user_id_day_pk" PRIMARY KEY("user_id","day")
);
--> statement-breakpoint
ALTER TABLE "users" ADD COLUMN "colour" integer;--> statement-breakpoint
ALTER TABLE "daily_goals" ADD CONSTRAINT "daily_goals_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "entries_ended_all" ON "entries" USING btree ("ended_at","id") WHERE "entries"."state" = 'ended';--> statement-breakpoint
CREATE INDEX "entries_free_of_user" ON "entries" USING btree ("user_id","ended_at") WHERE "entries"."state" = 'ended' and "entries"."entry_fee" = 0;