CREATE TABLE "raffle_days" (
	"day" date PRIMARY KEY NOT NULL,
	"closed_at" timestamp with time zone,
	"winners_per_day" integer,
	"drawn_at" timestamp with time zone,
	"slot" bigint,
	"blockhash" text
);
--> statement-breakpoint
CREATE TABLE "raffle_entries" (
	"day" date NOT NULL,
	"user_id" uuid NOT NULL,
	"wallet_address" text NOT NULL,
	"entered_at" timestamp with time zone NOT NULL,
	"result" text,
	"seen_at" timestamp with time zone,
	CONSTRAINT "raffle_entries_day_user_id_pk" PRIMARY KEY("day","user_id")
);
--> statement-breakpoint
CREATE TABLE "task_completions" (
	"user_id" uuid NOT NULL,
	"task_id" uuid NOT NULL,
	"state" text NOT NULL,
	"queued_at" timestamp with time zone NOT NULL,
	"checks" integer DEFAULT 0 NOT NULL,
	"next_check_at" timestamp with time zone NOT NULL,
	CONSTRAINT "task_completions_user_id_task_id_pk" PRIMARY KEY("user_id","task_id")
);
--> statement-breakpoint
CREATE TABLE "task_visits" (
	"user_id" uuid NOT NULL,
	"task_id" uuid NOT NULL,
	"visited_at" timestamp with time zone NOT NULL,
	CONSTRAINT "task_visits_user_id_task_id_pk" PRIMARY KEY("user_id","task_id")
);
--> statement-breakpoint
CREATE TABLE "tasks" (
	"id" uuid PRIMARY KEY NOT NULL,
	"action" text NOT NULL,
	"name" text NOT NULL,
	"description" text DEFAULT '' NOT NULL,
	"url" text,
	"tweet_id" text,
	"tg_url" text,
	"sort_order" integer DEFAULT 0 NOT NULL,
	"is_active" boolean DEFAULT true NOT NULL
);
--> statement-breakpoint
CREATE TABLE "telegram_accounts" (
	"user_id" uuid PRIMARY KEY NOT NULL,
	"telegram_id" text NOT NULL,
	"connected_at" timestamp with time zone NOT NULL,
	CONSTRAINT "telegram_accounts_telegramId_unique" UNIQUE("telegram_id")
);
--> statement-breakpoint
CREATE TABLE "telegram_inbox" (
	"id" integer PRIMARY KEY NOT NULL,
	"last_update_id" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "x_accounts" (
	"user_id" uuid PRIMARY KEY NOT NULL,
	"x_id" text NOT NULL,
	"handle" text NOT NULL,
	"connected_at" timestamp with time zone NOT NULL,
	CONSTRAINT "x_accounts_xId_unique" UNIQUE("x_id")
);
--> statement-breakpoint
CREATE TABLE "x_logins" (
	"state" text PRIMARY KEY NOT NULL,
	"session_key" text NOT NULL,
	"code_verifier" text NOT NULL,
	"redirect_uri" text NOT NULL,
	"expires_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
ALTER TABLE "users" ADD COLUMN "guided_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "raffle_entries" ADD CONSTRAINT "raffle_entries_day_raffle_days_day_fk" FOREIGN KEY ("day") REFERENCES "public"."raffle_days"("day") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "raffle_entries" ADD CONSTRAINT "raffle_entries_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "task_completions" ADD CONSTRAINT "task_completions_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "task_completions" ADD CONSTRAINT "task_completions_task_id_tasks_id_fk" FOREIGN KEY ("task_id") REFERENCES "public"."tasks"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "task_visits" ADD CONSTRAINT "task_visits_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "task_visits" ADD CONSTRAINT "task_visits_task_id_tasks_id_fk" FOREIGN KEY ("task_id") REFERENCES "public"."tasks"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "telegram_accounts" ADD CONSTRAINT "telegram_accounts_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "x_accounts" ADD CONSTRAINT "x_accounts_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "raffle_entries_user_id_index" ON "raffle_entries" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "task_completions_next_check_at_index" ON "task_completions" USING btree ("next_check_at") WHERE "task_completions"."state" = 'queued';--> statement-breakpoint
CREATE INDEX "x_logins_expires_at_index" ON "x_logins" USING btree ("expires_at");